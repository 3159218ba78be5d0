// torchgen.gen.ComputeFunction: Functions.h, the public C++ API.
#pragma once

#include <optional>
#include <string>

#include "opgen/model/native_function.h"

namespace opgen::emit {

// Never absent; empty for operators that are methods only and take no SymInt.
// Throws what api throws for schemas that it cannot express.
std::optional<std::string> compute_function(const model::NativeFunction& f);

}  // namespace opgen::emit
