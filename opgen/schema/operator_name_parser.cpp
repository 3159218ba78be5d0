#include "opgen/schema/operator_name_parser.h"

#include <algorithm>
#include <array>
#include <string>

namespace opgen::schema {

namespace {

using text::DiagnosticId;

constexpr std::string_view kFunctionalSuffix = "_functional";

constexpr std::array<std::string_view, 11> kAugmentedAssignmentNames = {
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "xor",
    "or",
};

// The name inside of __name__, or an empty view.
std::string_view dunder_name(std::string_view name) {
  if (name.size() < 5 || !name.starts_with("__") || !name.ends_with("__")) {
    return {};
  }
  const std::string_view inner = name.substr(2, name.size() - 4);
  return inner.find('_') == std::string_view::npos ? inner : std::string_view();
}

bool split_dunder(std::string_view inner,
                  std::string_view whole,
                  const SchemaReporter& reporter,
                  model::BaseOperatorName& result) {
  result.dunder_method = true;
  result.base = inner;
  if (inner.front() != 'i') {
    return true;
  }
  inner.remove_prefix(1);
  if (std::find(kAugmentedAssignmentNames.begin(),
                kAugmentedAssignmentNames.end(),
                inner) == kAugmentedAssignmentNames.end()) {
    reporter.error(
        DiagnosticId::kOperatorNameDunder, whole, {std::string(whole)});
    return false;
  }
  result.inplace = true;
  result.base = inner;
  return true;
}

bool parse_base(std::string_view name,
                const SchemaReporter& reporter,
                model::BaseOperatorName& result) {
  if (name.ends_with("_out")) {
    reporter.error(
        DiagnosticId::kOperatorNameOutSuffix, name, {std::string(name)});
    return false;
  }
  const std::string_view whole = name;
  const std::size_t colons = name.rfind("::");
  if (colons != std::string_view::npos) {
    result.namespace_ = name.substr(0, colons);
    name.remove_prefix(colons + 2);
    if (result.namespace_.empty() || name.empty()) {
      reporter.error(
          DiagnosticId::kOperatorNameColons, whole, {std::string(whole)});
      return false;
    }
  }
  const std::string_view inner = dunder_name(name);
  if (!inner.empty()) {
    return split_dunder(inner, whole, reporter, result);
  }
  if (name.ends_with('_')) {
    result.inplace = true;
    name.remove_suffix(1);
  }
  if (name.ends_with(kFunctionalSuffix)) {
    if (result.inplace) {
      reporter.error(DiagnosticId::kOperatorNameFunctionalInplace,
                     whole,
                     {std::string(whole)});
      return false;
    }
    result.functional_overload = true;
    name.remove_suffix(kFunctionalSuffix.size());
  }
  result.base = name;
  return true;
}

}  // namespace

std::optional<model::OperatorName> parse_operator_name(
    std::string_view text, const SchemaReporter& reporter) {
  model::OperatorName result;
  const std::size_t dot = text.find('.');
  const std::string_view base = text.substr(0, dot);
  if (base.empty()) {
    reporter.error(DiagnosticId::kOperatorNameEmpty, text);
    return std::nullopt;
  }
  if (!parse_base(base, reporter, result.name)) {
    return std::nullopt;
  }
  if (dot != std::string_view::npos) {
    result.overload_name = text.substr(dot + 1);
    if (result.overload_name.empty()) {
      reporter.error(DiagnosticId::kOperatorNameEmptyOverload,
                     text.substr(dot));
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace opgen::schema
