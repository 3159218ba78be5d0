// The field `precomputed`: `dim -> int dim, int size` and `int extra`.
#pragma once

#include <optional>

#include "opgen/model/native_function.h"
#include "opgen/schema/schema_error.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

// torchgen's Precompute.parse; nothing after an error.
std::optional<model::Precompute> parse_precompute(
    const text::YamlNode& node,
    SchemaLanguage language,
    text::Diagnostics& diagnostics);

}  // namespace opgen::schema
