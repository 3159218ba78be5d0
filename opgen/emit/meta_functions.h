// The declarations of the meta functions of structured operators.
#pragma once

#include <optional>
#include <string>

#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// torchgen.gen.compute_meta_function_declaration. Nothing if the group is not
// structured. Throws EmitError.
std::optional<std::string> compute_meta_function_declaration(
    const model::NativeFunctionsGroup& g);

}  // namespace opgen::emit
