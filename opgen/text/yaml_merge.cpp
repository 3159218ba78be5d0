#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"
#include "opgen/text/yaml_builder.h"
#include "opgen/text/yaml_scalar.h"

namespace opgen::text {

namespace {

class Merger {
 public:
  void add(const YamlNode::Entry& entry) {
    const auto [place, added] =
        places_.try_emplace(yaml_key_identity(*entry.key), entries_.size());
    if (added) {
      entries_.push_back(entry);
    } else {
      entries_[place->second] = entry;
    }
  }

  void add_all(const YamlNode& mapping) {
    for (const YamlNode::Entry& entry : mapping.entries()) {
      add(entry);
    }
  }

  std::vector<YamlNode::Entry> take() { return std::move(entries_); }

 private:
  std::vector<YamlNode::Entry> entries_;
  std::unordered_map<std::string, std::size_t> places_;
};

bool is_merge(const YamlNode::Entry& entry) {
  return entry.key->type() == YamlType::kMerge;
}

void merge(Merger& merger, const YamlNode& value, Diagnostics& diagnostics) {
  if (value.is_mapping()) {
    merger.add_all(value);
    return;
  }
  if (!value.is_sequence()) {
    diagnostics.error(DiagnosticId::kYamlBadMerge, value.range());
    return;
  }
  // The first of the list wins, so it comes last.
  const auto items = value.items();
  for (std::size_t i = items.size(); i-- > 0;) {
    if (items[i]->is_mapping()) {
      merger.add_all(*items[i]);
    } else {
      diagnostics.error(DiagnosticId::kYamlBadMerge, items[i]->range());
    }
  }
}

}  // namespace

std::string yaml_key_identity(const YamlNode& key) {
  // No string begins with this byte.
  const std::string mark = "\xFF";
  if (key.is_string()) {
    return std::string(key.value());
  }
  if (key.is_null()) {
    return mark + "null";
  }
  if (key.is_bool()) {
    return mark + (key.as_bool() ? "int1" : "int0");
  }
  if (const auto number = key.as_int()) {
    return mark + "int" + std::to_string(*number);
  }
  if (const auto number = key.as_float()) {
    return mark + "float" + std::to_string(*number);
  }
  return mark + std::string(key.value());
}

std::vector<YamlNode::Entry> merge_entries(
    std::span<const YamlNode::Entry> entries, Diagnostics& diagnostics) {
  Merger merger;
  for (const YamlNode::Entry& entry : entries) {
    if (is_merge(entry)) {
      merge(merger, *entry.value, diagnostics);
    }
  }
  for (const YamlNode::Entry& entry : entries) {
    if (!is_merge(entry)) {
      merger.add(entry);
    }
  }
  return merger.take();
}

}  // namespace opgen::text
