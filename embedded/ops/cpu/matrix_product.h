// Batched matrix products of tensors: what Gemm and Linear share.
#pragma once

#include "check.h"
#include "operators.h"

namespace infini::ops::cpu {

// c = alpha * op(a) @ op(b) + beta * c over the last two dimensions; the
// dimensions before them broadcast to c's. Where `bias` is given it is what c
// holds before, and beta is 1. Checks everything that concerns shapes, dtypes
// and memory; the caller has called check_arguments.
void multiply_tensors(const Context& context,
                      const Tensor& a,
                      const Tensor& b,
                      const GemmOptions& options,
                      const Tensor* bias,
                      const Tensor& c);

}  // namespace infini::ops::cpu
