#include "opgen/schema/schema_report.h"

#include <string_view>

namespace opgen::schema {

namespace {

std::size_t offset_of(const text::YamlNode& scalar, std::string_view part) {
  return static_cast<std::size_t>(part.data() - scalar.value().data());
}

std::string_view hole(const SchemaError& error, std::size_t index) {
  return index < error.args.size() ? std::string_view(error.args[index])
                                   : std::string_view();
}

}  // namespace

text::SourceRange range_of(const text::YamlNode& scalar,
                           std::string_view part) {
  const std::size_t begin = offset_of(scalar, part);
  return text::range_in(scalar, begin, begin + part.size());
}

void report_errors(const text::YamlNode& scalar,
                   std::string_view whole,
                   const SchemaErrors& errors,
                   text::Diagnostics& diagnostics) {
  const std::size_t start = offset_of(scalar, whole);
  for (const SchemaError& error : errors) {
    text::Diagnostic& diagnostic = diagnostics.error(
        error.id,
        text::range_in(scalar, start + error.begin, start + error.end),
        {hole(error, 0), hole(error, 1)});
    if (!error.suggestion.empty()) {
      diagnostic.did_you_mean(error.suggestion);
    }
  }
}

}  // namespace opgen::schema
