// The field `tags` of an operator.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

bool is_valid_tag(std::span<const std::string_view> valid_tags,
                  std::string_view tag);

// Reads one tag or a list of tags.
std::vector<std::string> parse_tag_list(
    const text::YamlNode& node,
    const std::vector<std::string_view>& valid_tags,
    text::Diagnostics& diagnostics);

// Adds the tags that follow from the operator's schema, where they are valid,
// and puts the function's tags in order.
void add_implied_tags(model::NativeFunction& f,
                      std::span<const std::string_view> valid_tags);

}  // namespace opgen::schema
