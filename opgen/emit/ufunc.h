// torchgen.dest.ufunc: kernels made from an element-wise function that
// native_functions.yaml names, `ufunc_inner_loop`.
//
// All functions take a structured group whose out= function has such loops, and
// throw EmitError for loops that do not fit together.
#pragma once

#include <string>

#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The stub of a CPU kernel and the impl function that calls it.
std::string compute_ufunc_cpu(const model::NativeFunctionsGroup& g);
// The CPU kernel, which is compiled once per instruction set.
std::string compute_ufunc_cpu_kernel(const model::NativeFunctionsGroup& g);
// The CUDA kernel with its functors and its impl function.
std::string compute_ufunc_cuda(const model::NativeFunctionsGroup& g);

}  // namespace opgen::emit
