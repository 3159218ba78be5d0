// Reads function schemas: `add.Tensor(Tensor self, Tensor other, *, Scalar
// alpha=1) -> Tensor`.
//
// Accepts what torchgen.model.FunctionSchema.parse accepts, so that the
// result's str() is the text. Three things that it accepts are errors here:
// control characters, list sizes beyond 64 bits and more than 16 levels of `?`
// and `[]`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "opgen/model/function_schema.h"
#include "opgen/schema/schema_error.h"

namespace opgen::schema {

// Adds to `errors` all that is wrong, at least one where it returns nothing. An
// argument that cannot be read does not keep the others from being read.
std::optional<model::FunctionSchema> parse_function_schema(
    std::string_view text, SchemaLanguage language, SchemaErrors& errors);

}  // namespace opgen::schema
