// Functionalization kernels of operators that write to their arguments:
// in-place, out= and mutable ones.
#pragma once

#include <string>

#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The kernel of `f`, one of the group's functions, by means of the functional
// one. Throws api::ApiError where the two do not fit together.
std::string emit_inplace_functionalization_body(
    const model::NativeFunction& f, const model::NativeFunctionsGroup& g);

}  // namespace opgen::emit
