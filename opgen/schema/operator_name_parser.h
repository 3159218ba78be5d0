// Reads the names of operators: `add.Tensor`, `__ilshift__.Scalar`, `relu_`.
#pragma once

#include <optional>
#include <string_view>

#include "opgen/model/operator_name.h"
#include "opgen/schema/schema_error.h"

namespace opgen::schema {

// Accepts what torchgen.model.OperatorName.parse accepts; the result's str() is
// `text`. `text` is a part of the reporter's string.
std::optional<model::OperatorName> parse_operator_name(
    std::string_view text, const SchemaReporter& reporter);

}  // namespace opgen::schema
