#include "rows.h"

#include <cstddef>

namespace infini::ops::cpu {

char* row_address(const Tensor& tensor, std::size_t row) {
  const auto& shape = tensor.shape();
  std::ptrdiff_t offset = 0;
  for (std::size_t d = shape.size() - 1; d-- > 0;) {
    offset += static_cast<std::ptrdiff_t>(row % shape[d]) * tensor.strides()[d];
    row /= shape[d];
  }
  return data_of(tensor) +
         offset * static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
}

}  // namespace infini::ops::cpu
