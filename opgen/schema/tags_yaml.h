// tags.yaml: the tags that operators may have.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

// torchgen's parse_tags_yaml_struct: names, each once, and their descriptions,
// in the order of the file. Tags that are errors are left out.
std::vector<std::pair<std::string, std::string>> parse_tags_yaml(
    const text::YamlNode& root, text::Diagnostics& diagnostics);

}  // namespace opgen::schema
