#include "detached.h"

#include <memory>

#include "check.h"
#include "operators.h"
#include "overlap.h"

namespace infini::ops::cpu {

std::unique_ptr<char[]> row_major_copy(const Tensor& tensor) {
  std::unique_ptr<char[]> memory(
      new char[elements_of(tensor) * size_of(tensor.dtype())]);
  const Tensor copy(
      memory.get(), tensor.shape(), tensor.dtype(), tensor.device());
  cast(Config(), tensor, copy);
  return memory;
}

Detached::Detached(const Tensor& input, const Tensor& out, bool allow_same)
    : input_(input) {
  const bool same =
      data_of(input) == data_of(out) && input.dtype() == out.dtype() &&
      input.shape() == out.shape() && input.strides() == out.strides();
  if ((allow_same && same) || !extents_meet(input, out)) {
    return;
  }
  memory_ = row_major_copy(input);
  copy_.emplace(memory_.get(), input.shape(), input.dtype(), input.device());
}

}  // namespace infini::ops::cpu
