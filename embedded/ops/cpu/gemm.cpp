#include <cstddef>

#include "matrix_product.h"
#include "operators.h"

namespace infini::ops::cpu {

void gemm(const Config& config,
          const Tensor& a,
          const Tensor& b,
          const GemmOptions& options,
          const Tensor& c) {
  const Argument arguments[] = {{"a", &a}, {"b", &b}, {"c", &c}};
  const Context context("Gemm", arguments);
  check_arguments(context, config);
  for (const Argument& argument : arguments) {
    const std::size_t dimensions = argument.tensor->shape().size();
    if (dimensions != 2 && dimensions != 3) {
      fail(context, "`", argument.name, "` to have two or three dimensions");
    }
  }
  multiply_tensors(context, a, b, options, nullptr, c);
}

}  // namespace infini::ops::cpu
