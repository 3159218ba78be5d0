#include "opgen/schema/precompute_parser.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "opgen/schema/argument_parser.h"
#include "opgen/schema/schema_report.h"
#include "opgen/schema/split_list.h"
#include "opgen/text/characters.h"

namespace opgen::schema {

namespace {

using text::DiagnosticId;
using text::YamlNode;

constexpr std::string_view kArrow = " -> ";

class PrecomputeParser {
 public:
  PrecomputeParser(SchemaLanguage language, text::Diagnostics& diagnostics)
      : language_(language), diagnostics_(diagnostics) {}

  std::optional<model::Precompute> parse(const YamlNode& node) {
    const std::size_t errors_before = diagnostics_.error_count();
    const auto items = node.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      parse_item(*items[i], i + 1 == items.size());
    }
    if (diagnostics_.error_count() != errors_before) {
      return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  void parse_item(const YamlNode& item, bool last) {
    if (!item.is_string()) {
      diagnostics_.error(
          DiagnosticId::kPrecomputedType, item.range(), {item.describe()});
      return;
    }
    const std::string_view text = item.value();
    const std::size_t arrow = text.find(kArrow);
    if (arrow == std::string_view::npos) {
      if (last) {
        result_.add = parse_list(item, text);
      } else {
        diagnostics_.error(DiagnosticId::kPrecomputedOrder, item.range());
      }
      return;
    }
    const std::string_view name = text.substr(0, arrow);
    const std::string_view list = text.substr(arrow + kArrow.size());
    if (name.find(' ') != std::string_view::npos) {
      diagnostics_.error(
          DiagnosticId::kPrecomputedName, range_of(item, name), {name});
      return;
    }
    if (list.find(kArrow) != std::string_view::npos) {
      diagnostics_.error(DiagnosticId::kPrecomputedArrows, item.range());
      return;
    }
    if (result_.find(name) != nullptr) {
      diagnostics_.error(
          DiagnosticId::kPrecomputedTwice, range_of(item, name), {name});
      return;
    }
    std::vector<model::Argument> arguments = parse_list(item, list);
    check_spelling(item, list, arguments);
    result_.replace.emplace_back(name, std::move(arguments));
  }

  std::vector<model::Argument> parse_list(const YamlNode& item,
                                          std::string_view text) {
    std::vector<model::Argument> arguments;
    for (const std::string_view part : split_list(text, ",")) {
      const std::string_view declaration = strip(part);
      SchemaErrors errors;
      const SchemaReporter reporter(declaration, errors);
      auto argument = parse_argument(declaration, language_, reporter);
      report_errors(item, declaration, errors, diagnostics_);
      if (!argument) {
        continue;
      }
      if (is_upper(argument->name)) {
        diagnostics_.error(DiagnosticId::kPrecomputedUpperCase,
                           range_of(item, declaration),
                           {argument->name});
      }
      arguments.push_back(std::move(*argument));
    }
    return arguments;
  }

  // Template parameters are named like the arguments in upper case.
  static bool is_upper(std::string_view name) {
    return std::none_of(name.begin(), name.end(), text::is_lower);
  }

  void check_spelling(const YamlNode& item,
                      std::string_view list,
                      const std::vector<model::Argument>& arguments) {
    std::string expected;
    for (const model::Argument& argument : arguments) {
      if (!expected.empty()) {
        expected += ", ";
      }
      argument.append_to(expected);
    }
    if (!arguments.empty() && expected != list) {
      diagnostics_.error(
          DiagnosticId::kPrecomputedSpelling, range_of(item, list), {expected});
    }
  }

  SchemaLanguage language_;
  text::Diagnostics& diagnostics_;
  model::Precompute result_;
};

}  // namespace

std::optional<model::Precompute> parse_precompute(
    const YamlNode& node,
    SchemaLanguage language,
    text::Diagnostics& diagnostics) {
  return PrecomputeParser(language, diagnostics).parse(node);
}

}  // namespace opgen::schema
