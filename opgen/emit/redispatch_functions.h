// torchgen.gen.ComputeRedispatchFunction: RedispatchFunctions.h, the public C++
// API with a set of dispatch keys in front.
#pragma once

#include <optional>
#include <string>

#include "opgen/model/native_function.h"

namespace opgen::emit {

// Never absent. Throws what api throws for schemas that it cannot express.
std::optional<std::string> compute_redispatch_function(
    const model::NativeFunction& f);

}  // namespace opgen::emit
