// Whether an operand's memory overlaps the output's.
#pragma once

#include <cstddef>
#include <cstdint>

#include <infini/rt.h>

#include "plan.h"

namespace infini::ops::cpu {

enum class Overlap : std::uint8_t {
  kNone,     // no byte in common
  kSame,     // element i of one is element i of the other
  kPartial,  // certainly some bytes in common, in another arrangement
  kMaybe,    // neither was shown
};

// Two operands of one plan, as lists of strides in bytes.
struct Footprint {
  const char* base;
  std::size_t element_size;
  const std::ptrdiff_t* strides;  // of dimension d: strides[d * step]
  int step;

  std::ptrdiff_t stride(int d) const {
    return strides[static_cast<std::ptrdiff_t>(d) * step];
  }
};

Overlap overlap_of(const std::size_t* sizes,
                   int dimensions,
                   const Footprint& out,
                   const Footprint& in);

// Whether one operand ends before the other begins.
template <int kOperands>
bool are_apart(const Plan<kOperands>& plan,
               int in,
               std::size_t out_element_size,
               std::size_t in_element_size) {
  const char* out_end = plan.base[0] + out_element_size;
  const char* in_begin = plan.base[in];
  const char* in_end = in_begin + in_element_size;
  for (int d = 0; d < plan.dimensions; ++d) {
    const auto steps = static_cast<std::ptrdiff_t>(plan.size[d] - 1);
    const std::ptrdiff_t reach = plan.stride[d][in] * steps;
    out_end += plan.stride[d][0] * steps;
    (reach < 0 ? in_begin : in_end) += reach;
  }
  return out_end <= in_begin || in_end <= plan.base[0];
}

template <int kOperands>
Overlap overlap_of(const Plan<kOperands>& plan,
                   int in,
                   std::size_t out_element_size,
                   std::size_t in_element_size) {
  if (are_apart(plan, in, out_element_size, in_element_size)) {
    return Overlap::kNone;
  }
  const std::ptrdiff_t* strides = &plan.stride[0][0];
  return overlap_of(plan.size,
                    plan.dimensions,
                    {plan.base[0], out_element_size, strides, kOperands},
                    {plan.base[in], in_element_size, strides + in, kOperands});
}

// Whether the bytes from the first to the last of each have one in common.
// False for a tensor without elements.
bool extents_meet(const rt::TensorView& a, const rt::TensorView& b);

}  // namespace infini::ops::cpu
