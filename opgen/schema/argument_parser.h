// Reads single arguments, `Scalar alpha=1`, and single returns, `Tensor(a!)`.
#pragma once

#include <optional>
#include <string_view>

#include "opgen/model/function_schema.h"
#include "opgen/schema/schema_error.h"

namespace opgen::schema {

// Accepts what torchgen.model.Argument.parse accepts; the result's str() is
// `text`. `text` is a part of the reporter's string.
std::optional<model::Argument> parse_argument(std::string_view text,
                                              SchemaLanguage language,
                                              const SchemaReporter& reporter);

// The same for torchgen.model.Return.parse.
std::optional<model::Return> parse_return(std::string_view text,
                                          SchemaLanguage language,
                                          const SchemaReporter& reporter);

}  // namespace opgen::schema
