// Which operators a custom build registers, from a list of names or from a yaml
// file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opgen/model/selective_builder.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

// torchgen's SelectiveBuilder.from_yaml_dict. Nothing if the document has
// errors; all of them are in `diagnostics` then. A document without root, which
// could not be read, has been reported already.
//
// Stricter than torchgen where its result would be meaningless: lists must be
// lists, not strings or mappings.
std::optional<model::SelectiveBuilder> selective_builder_from_yaml(
    const text::YamlDocument& document, text::Diagnostics& diagnostics);

// torchgen.gen.get_custom_build_selector. Everything is selected if neither is
// given; both is an error. `keep` gets what diagnostics point into.
std::optional<model::SelectiveBuilder> get_custom_build_selector(
    const std::optional<std::vector<std::string>>& op_registration_allowlist,
    const std::optional<std::string>& op_selection_yaml_path,
    text::Diagnostics& diagnostics,
    std::vector<std::shared_ptr<const void>>& keep);

}  // namespace opgen::schema
