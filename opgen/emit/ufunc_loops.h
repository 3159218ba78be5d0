// What the CPU and CUDA kernels of a `ufunc_inner_loop` have in common.
#pragma once

#include <string>
#include <string_view>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The loop that native_functions.yaml gives for a key, null if it gives none.
const model::UfuncInnerLoop* find_loop(const model::NativeFunctionsGroup& g,
                                       model::UfuncKey key);

// One case of AT_DISPATCH_SWITCH, after those that `cases` holds.
void append_dispatch_case(model::ScalarType dtype,
                          std::string_view body,
                          std::string& cases);

}  // namespace opgen::emit
