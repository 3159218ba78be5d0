#include <optional>

#include "matrix_product.h"
#include "operators.h"

namespace infini::ops::cpu {

namespace {

constexpr const char* kName = "Linear";

void run(const Context& context,
         const Config& config,
         const Tensor& a,
         const Tensor& b,
         const Tensor* bias,
         const GemmOptions& options,
         const Tensor& out) {
  check_arguments(context, config);
  if (bias != nullptr) {
    check_dimensions(context, {"bias", bias}, 1);
    if (out.shape().empty() || bias->shape()[0] != out.shape().back()) {
      fail(context, "`bias` to have the size of the last dimension of `out`");
    }
  }
  multiply_tensors(context, a, b, options, bias, out);
}

}  // namespace

void linear(const Config& config,
            const Tensor& a,
            const Tensor& b,
            const std::optional<Tensor>& bias,
            bool trans_a,
            bool trans_b,
            const Tensor& out) {
  const GemmOptions options{1.0F, 0.0F, trans_a, trans_b};
  if (bias.has_value()) {
    const Argument arguments[] = {
        {"a", &a}, {"b", &b}, {"bias", &*bias}, {"out", &out}};
    run(Context(kName, arguments), config, a, b, &*bias, options, out);
  } else {
    const Argument arguments[] = {{"a", &a}, {"b", &b}, {"out", &out}};
    run(Context(kName, arguments), config, a, b, nullptr, options, out);
  }
}

}  // namespace infini::ops::cpu
