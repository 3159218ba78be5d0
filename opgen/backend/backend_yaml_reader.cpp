#include "opgen/backend/backend_yaml_reader.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/cpp_names.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/python_text.h"
#include "opgen/text/suggest.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {

using text::DiagnosticId;
using text::YamlNode;

MappingReader::MappingReader(const YamlNode& node,
                             std::span<const std::string_view> keys,
                             text::Diagnostics& diagnostics)
    : node_(&node), diagnostics_(&diagnostics) {
  const std::vector<std::string_view> candidates(keys.begin(), keys.end());
  for (const YamlNode::Entry& entry : node.entries()) {
    if (!entry.key->is_string() ||
        std::find(keys.begin(), keys.end(), entry.key->value()) == keys.end()) {
      diagnostics
          .error(DiagnosticId::kBackendUnknownKey,
                 entry.key->range(),
                 {entry.key->value()})
          .did_you_mean(text::suggest(entry.key->value(), candidates));
    }
  }
}

void MappingReader::wrong_type(std::string_view key,
                               const YamlNode& value,
                               std::string_view expected) const {
  diagnostics_->error(DiagnosticId::kBackendValueType,
                      value.range(),
                      {key, expected, value.describe()});
}

void MappingReader::missing(std::string_view key) const {
  text::SourceRange begin = node_->range();
  begin.end = begin.begin;
  diagnostics_->error(DiagnosticId::kBackendMissingKey, begin, {key});
}

std::optional<bool> MappingReader::get_bool(std::string_view key) const {
  const YamlNode* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_bool()) {
    wrong_type(key, *value, "true or false");
    return std::nullopt;
  }
  return value->as_bool();
}

const YamlNode* MappingReader::get_string(std::string_view key) const {
  const YamlNode* value = find(key);
  if (value == nullptr || value->is_null()) {
    return nullptr;
  }
  if (!value->is_string()) {
    wrong_type(key, *value, "a string");
    return nullptr;
  }
  return value;
}

std::string MappingReader::get_identifier(std::string_view key,
                                          bool qualified) const {
  const YamlNode* value = get_string(key);
  if (value == nullptr) {
    return {};
  }
  const bool valid = qualified ? is_qualified_identifier(value->value())
                               : is_identifier(value->value());
  if (!valid) {
    diagnostics_->error(DiagnosticId::kBackendNotIdentifier,
                        value->range(),
                        {key, value->value()});
  }
  return std::string(value->value());
}

std::span<const YamlNode* const> MappingReader::get_list(
    std::string_view key, bool may_be_null) const {
  const YamlNode* value = find(key);
  if (value == nullptr || (may_be_null && value->is_null())) {
    return {};
  }
  if (!value->is_sequence()) {
    wrong_type(key, *value, "a list");
    return {};
  }
  return value->items();
}

std::vector<std::string> MappingReader::get_strings(
    std::string_view key) const {
  std::vector<std::string> strings;
  const YamlNode* value = find(key);
  if (value == nullptr || value->is_null()) {
    return strings;
  }
  if (value->is_string()) {
    strings.emplace_back(value->value());
  } else if (value->is_sequence()) {
    for (const YamlNode* item : value->items()) {
      if (item->is_string()) {
        strings.emplace_back(item->value());
      } else {
        wrong_type(key, *item, "a list of strings");
      }
    }
  } else {
    wrong_type(key, *value, "a string or a list of strings");
  }
  return strings;
}

}  // namespace opgen::backend
