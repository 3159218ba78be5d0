#include "opgen/schema/entry_fields.h"

#include <algorithm>
#include <string>
#include <vector>

#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using text::DiagnosticId;
using text::YamlNode;

constexpr std::array<std::string_view, kFieldCount> kFieldNames = {
    "func",
    "cpp_no_default_args",
    "use_const_ref_for_mutable_tensors",
    "variants",
    "manual_kernel_registration",
    "manual_cpp_binding",
    "device_guard",
    "device_check",
    "structured",
    "structured_delegate",
    "structured_inherits",
    "python_module",
    "category_override",
    "precomputed",
    "tags",
    "dispatch",
    "autogen",
    "ufunc_inner_loop",
};

std::string suggest_field(std::string_view key) {
  return text::suggest(
      key,
      std::vector<std::string_view>(kFieldNames.begin(), kFieldNames.end()));
}

}  // namespace

std::string_view name_of(Field field) {
  return kFieldNames.at(static_cast<std::size_t>(field));
}

EntryFields::EntryFields(const YamlNode& node, text::Diagnostics& diagnostics)
    : begin_(node.range()), diagnostics_(&diagnostics) {
  begin_.end = begin_.begin;
  if (!node.entries().empty()) {
    begin_ = node.entries().front().key->range();
  }
  for (const YamlNode::Entry& entry : node.entries()) {
    const std::string_view key = entry.key->value();
    const auto* found = std::find(kFieldNames.begin(), kFieldNames.end(), key);
    if (found != kFieldNames.end() && entry.key->is_string()) {
      nodes_.at(static_cast<std::size_t>(found - kFieldNames.begin())) =
          entry.value;
    } else if (key != "__line__") {
      diagnostics.error(DiagnosticId::kUnknownField, entry.key->range(), {key})
          .did_you_mean(suggest_field(key));
    }
  }
}

bool EntryFields::get_bool(Field field, bool otherwise) const {
  const YamlNode* node = find(field);
  if (node == nullptr) {
    return otherwise;
  }
  if (!node->is_bool()) {
    wrong_type(field, "a boolean");
    return otherwise;
  }
  return node->as_bool();
}

std::optional<std::string_view> EntryFields::get_optional_string(
    Field field) const {
  const YamlNode* node = find(field);
  if (node == nullptr || node->is_null()) {
    return std::nullopt;
  }
  return get_string(field);
}

std::optional<std::string_view> EntryFields::get_string(Field field) const {
  const YamlNode* node = find(field);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (!node->is_string()) {
    wrong_type(field, "a string");
    return std::nullopt;
  }
  return node->value();
}

void EntryFields::wrong_type(Field field, std::string_view expected) const {
  const YamlNode* node = find(field);
  diagnostics_->error(
      DiagnosticId::kFieldType,
      range(field),
      {name_of(field), expected, node == nullptr ? "null" : node->describe()});
}

text::SourceRange EntryFields::range(Field field) const {
  const YamlNode* node = find(field);
  return node == nullptr ? begin_ : node->range();
}

}  // namespace opgen::schema
