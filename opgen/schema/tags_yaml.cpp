#include "opgen/schema/tags_yaml.h"

#include <algorithm>
#include <string_view>

namespace opgen::schema {

namespace {

using text::DiagnosticId;
using text::YamlNode;

using Tags = std::vector<std::pair<std::string, std::string>>;

void parse_tag(const YamlNode& node,
               Tags& tags,
               text::Diagnostics& diagnostics) {
  const YamlNode* tag = node.find("tag");
  if (tag == nullptr) {
    diagnostics.error(DiagnosticId::kTagWithoutName, node.range());
    return;
  }
  if (!tag->is_string()) {
    diagnostics.error(
        DiagnosticId::kTagNameType, tag->range(), {tag->describe()});
    return;
  }
  const YamlNode* description = node.find("desc");
  if (description == nullptr ||
      (description->is_string() && description->value().empty())) {
    diagnostics.error(
        DiagnosticId::kTagWithoutDescription, tag->range(), {tag->value()});
    return;
  }
  const bool known =
      std::any_of(tags.begin(), tags.end(), [tag](const auto& other) {
        return other.first == tag->value();
      });
  if (!known) {
    tags.emplace_back(tag->value(), description->value());
  }
}

}  // namespace

Tags parse_tags_yaml(const YamlNode& root, text::Diagnostics& diagnostics) {
  Tags tags;
  if (!root.is_sequence()) {
    diagnostics.error(
        DiagnosticId::kTagsNotList, root.range(), {root.describe()});
  }
  for (const YamlNode* node : root.items()) {
    if (node->is_mapping()) {
      parse_tag(*node, tags, diagnostics);
    } else {
      diagnostics.error(
          DiagnosticId::kTagNotMapping, node->range(), {node->describe()});
    }
  }
  return tags;
}

}  // namespace opgen::schema
