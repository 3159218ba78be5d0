#include "opgen/emit/autograd_files_derivatives_load.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgen::emit {
namespace {

using text::DiagnosticId;
using text::Diagnostics;
using text::YamlNode;

void wrong_kind(const YamlNode& node,
                std::string_view what,
                std::string_view wanted,
                Diagnostics& diagnostics) {
  diagnostics.error(DiagnosticId::kDerivativesShape,
                    node.range(),
                    {what, wanted, node.describe()});
}

// Absent after an error.
std::optional<std::vector<bool>> read_flags(const YamlNode& node,
                                            Diagnostics& diagnostics) {
  constexpr std::string_view kWhat = "output_differentiability";
  constexpr std::string_view kWanted = "a list of booleans or of one condition";
  if (!node.is_sequence()) {
    wrong_kind(node, kWhat, kWanted, diagnostics);
    return std::nullopt;
  }
  std::vector<bool> flags;
  for (const YamlNode* item : node.items()) {
    const bool condition = item->is_string() && node.items().size() == 1;
    if (!item->is_bool() && !condition) {
      wrong_kind(*item,
                 "an element of output_differentiability",
                 "a boolean, or a condition that stands alone",
                 diagnostics);
      return std::nullopt;
    }
    flags.push_back(condition || item->as_bool());
  }
  return flags;
}

// Those of one key, without the entries that are no formulas.
std::optional<DerivativeFormulas> read_formulas(const YamlNode& node,
                                                std::string_view key,
                                                Diagnostics& diagnostics) {
  DerivativeFormulas formulas;
  formulas.key = key;
  formulas.range = node.range();
  for (const YamlNode::Entry& entry : node.entries()) {
    const std::string_view names = entry.key->value();
    if (names == "name" || names == "output_differentiability") {
      continue;
    }
    if (!entry.value->is_string()) {
      wrong_kind(*entry.value, "a formula", "a string", diagnostics);
      return std::nullopt;
    }
    formulas.formulas.emplace_back(names, entry.value->value());
  }
  std::sort(formulas.formulas.begin(), formulas.formulas.end());
  return formulas;
}

std::optional<std::vector<DerivativeFormulas>> read_dispatch(
    const YamlNode& node, Diagnostics& diagnostics) {
  if (!node.is_mapping()) {
    wrong_kind(node, "dispatch", "a mapping", diagnostics);
    return std::nullopt;
  }
  std::vector<DerivativeFormulas> dispatch;
  for (const YamlNode::Entry& entry : node.entries()) {
    if (!entry.value->is_mapping()) {
      wrong_kind(*entry.value, entry.key->value(), "a mapping", diagnostics);
      return std::nullopt;
    }
    auto formulas =
        read_formulas(*entry.value, entry.key->value(), diagnostics);
    if (!formulas) {
      return std::nullopt;
    }
    formulas->range = entry.key->range();
    dispatch.push_back(std::move(*formulas));
  }
  return dispatch;
}

std::optional<DerivativeEntry> read_entry(const YamlNode& node,
                                          Diagnostics& diagnostics) {
  if (!node.is_mapping()) {
    wrong_kind(node, "an entry", "a mapping", diagnostics);
    return std::nullopt;
  }
  const YamlNode* name = node.find("name");
  if (name == nullptr || !name->is_string()) {
    diagnostics.error(DiagnosticId::kDerivativesNoName,
                      name == nullptr ? node.range() : name->range());
    return std::nullopt;
  }
  DerivativeEntry entry;
  entry.schema = name->value();
  entry.range = name->range();
  const YamlNode* dispatch = node.find("dispatch");
  const YamlNode* flags = node.find("output_differentiability");
  if (flags != nullptr && !flags->is_null()) {
    entry.output_differentiability = read_flags(*flags, diagnostics);
    if (!entry.output_differentiability) {
      return std::nullopt;
    }
    if (entry.output_differentiability->empty() && dispatch == nullptr) {
      entry.output_differentiability.reset();
    }
  }
  if (dispatch == nullptr) {
    auto formulas = read_formulas(node, "Default", diagnostics);
    if (!formulas) {
      return std::nullopt;
    }
    entry.dispatch.push_back(std::move(*formulas));
    return entry;
  }
  auto formulas = read_dispatch(*dispatch, diagnostics);
  if (!formulas) {
    return std::nullopt;
  }
  entry.dispatch = std::move(*formulas);
  return entry;
}

}  // namespace

std::vector<DerivativeEntry> read_derivatives(const YamlNode* root,
                                              Diagnostics& diagnostics) {
  std::vector<DerivativeEntry> entries;
  if (root == nullptr) {
    return entries;
  }
  if (!root->is_sequence()) {
    wrong_kind(*root, "the file", "a list", diagnostics);
    return entries;
  }
  for (const YamlNode* node : root->items()) {
    if (auto entry = read_entry(*node, diagnostics)) {
      entries.push_back(std::move(*entry));
    }
  }
  return entries;
}

}  // namespace opgen::emit
