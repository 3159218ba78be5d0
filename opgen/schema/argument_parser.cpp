#include "opgen/schema/argument_parser.h"

#include <string>
#include <utility>

#include "opgen/schema/type_parser.h"

namespace opgen::schema {

namespace {

using text::DiagnosticId;

}  // namespace

std::optional<model::Argument> parse_argument(std::string_view text,
                                              SchemaLanguage language,
                                              const SchemaReporter& reporter) {
  const std::size_t equals = text.find('=');
  const std::string_view declaration = text.substr(0, equals);
  const std::size_t space = declaration.rfind(' ');
  if (space == std::string_view::npos) {
    reporter.error(DiagnosticId::kArgumentNoName, text, {std::string(text)});
    return std::nullopt;
  }
  model::Argument argument;
  argument.name = declaration.substr(space + 1);
  if (equals != std::string_view::npos) {
    const std::string_view value = text.substr(equals + 1);
    if (value.empty()) {
      reporter.error(
          DiagnosticId::kArgumentEmptyDefault, text, {argument.name});
      return std::nullopt;
    }
    if (value.find('=') != std::string_view::npos) {
      reporter.error(DiagnosticId::kArgumentTwoDefaults, text, {argument.name});
      return std::nullopt;
    }
    argument.default_value = value;
  }
  AnnotatedType annotated =
      parse_annotated_type(declaration.substr(0, space), language, reporter);
  if (annotated.type == nullptr) {
    return std::nullopt;
  }
  argument.type = annotated.type;
  argument.annotation = std::move(annotated.annotation);
  return argument;
}

std::optional<model::Return> parse_return(std::string_view text,
                                          SchemaLanguage language,
                                          const SchemaReporter& reporter) {
  model::Return result;
  std::string_view type = text;
  const std::size_t space = text.rfind(' ');
  if (space != std::string_view::npos) {
    result.name = text.substr(space + 1);
    type = text.substr(0, space);
    if (type.ends_with(" ->") && text.ends_with(')')) {
      reporter.error(DiagnosticId::kReturnNeedsName, text, {std::string(text)});
      return std::nullopt;
    }
  }
  if (type.empty()) {
    reporter.error(DiagnosticId::kReturnEmpty, text);
    return std::nullopt;
  }
  AnnotatedType annotated = parse_annotated_type(type, language, reporter);
  if (annotated.type == nullptr) {
    return std::nullopt;
  }
  result.type = annotated.type;
  result.annotation = std::move(annotated.annotation);
  return result;
}

}  // namespace opgen::schema
