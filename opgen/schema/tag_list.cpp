#include "opgen/schema/tag_list.h"

#include <algorithm>

#include "opgen/text/suggest.h"

namespace opgen::schema {

namespace {

using text::DiagnosticId;
using text::YamlNode;

void parse_tag(const YamlNode& node,
               const std::vector<std::string_view>& valid_tags,
               std::vector<std::string>& tags,
               text::Diagnostics& diagnostics) {
  if (!node.is_string()) {
    diagnostics.error(DiagnosticId::kTagType, node.range(), {node.describe()});
  } else if (!is_valid_tag(valid_tags, node.value())) {
    diagnostics.error(DiagnosticId::kUnknownTag, node.range(), {node.value()})
        .did_you_mean(text::suggest(node.value(), valid_tags));
  } else {
    tags.emplace_back(node.value());
  }
}

}  // namespace

bool is_valid_tag(std::span<const std::string_view> valid_tags,
                  std::string_view tag) {
  return std::find(valid_tags.begin(), valid_tags.end(), tag) !=
         valid_tags.end();
}

std::vector<std::string> parse_tag_list(
    const YamlNode& node,
    const std::vector<std::string_view>& valid_tags,
    text::Diagnostics& diagnostics) {
  std::vector<std::string> tags;
  if (node.is_sequence()) {
    for (const YamlNode* item : node.items()) {
      parse_tag(*item, valid_tags, tags, diagnostics);
    }
  } else {
    parse_tag(node, valid_tags, tags, diagnostics);
  }
  return tags;
}

void add_implied_tags(model::NativeFunction& f,
                      std::span<const std::string_view> valid_tags) {
  const auto add = [&](std::string_view tag, bool implied) {
    if (implied && is_valid_tag(valid_tags, tag)) {
      f.tags.emplace_back(tag);
    }
  };
  add("pt2_compliant_tag", f.namespace_ == "aten");
  add("out", f.func.is_out_fn());
  add("inplace", f.func.name.name.inplace);
  std::sort(f.tags.begin(), f.tags.end());
  f.tags.erase(std::unique(f.tags.begin(), f.tags.end()), f.tags.end());
}

}  // namespace opgen::schema
