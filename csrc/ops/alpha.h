// The factor `alpha` of add and sub.
#pragma once

#include <c10/core/Scalar.h>

namespace torch_infini {

// False for a boolean, which PyTorch refuses beside tensors of numbers.
inline bool is_one(const c10::Scalar& alpha) {
  return alpha.isIntegral(/*includeBool=*/false)
             ? alpha.toLong() == 1
             : alpha.isFloatingPoint() && alpha.toDouble() == 1.0;
}

}  // namespace torch_infini
