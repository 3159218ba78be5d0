// The declaration and the definition of an operator's functions in the
// AOTInductor C shim.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opgen/emit/aoti_fallback_ops.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {

struct ShimFunction {
  std::string declaration;
  std::string definition;
};

// All versions, the newest first. `device` is "cpu" and the like;
// `backend_call` the function of at:: that is called. None if the shim does not
// support one of the types; throws api::ApiError for metadata that makes no
// sense.
std::optional<ShimFunction> gen_declaration_and_definition(
    const model::FunctionSchema& schema,
    const std::string& device,
    const std::string& backend_call,
    const PythonLiteral& op_metadata);

}  // namespace opgen::emit
