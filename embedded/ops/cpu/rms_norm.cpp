#include <cmath>
#include <cstddef>
#include <memory>

#include "detached.h"
#include "operators.h"
#include "rows.h"

namespace infini::ops::cpu {

namespace {

constexpr std::size_t kGrainOfRms = 8192;

template <class Compute>
void run(const Tensor& input,
         const Tensor& weight,
         float eps,
         const Tensor& out) {
  const std::size_t length = row_length(out);
  const std::unique_ptr<Compute[]> weights(new Compute[length]);
  load_row(weight, 0, weights.get());
  for_each_row<Compute>(
      elements_of(out) / length,
      length,
      kGrainOfRms,
      [&](std::size_t row, Compute* values) {
        load_row(input, row, values);
        const double squares = sum_of(length, [values](std::size_t i) {
          return static_cast<double>(values[i]) *
                 static_cast<double>(values[i]);
        });
        const double mean = squares / static_cast<double>(length);
        const double scale = 1.0 / std::sqrt(mean + static_cast<double>(eps));
        for (std::size_t i = 0; i < length; ++i) {
          values[i] =
              static_cast<Compute>(static_cast<double>(values[i]) * scale *
                                   static_cast<double>(weights[i]));
        }
        store_row(values, out, row);
      });
}

}  // namespace

void rms_norm(const Config& config,
              const Tensor& input,
              const Tensor& weight,
              float eps,
              const Tensor& out) {
  const Argument arguments[] = {
      {"input", &input}, {"weight", &weight}, {"out", &out}};
  const Context context("RmsNorm", arguments);
  check_arguments(context, config);
  check_float(context, arguments[0]);
  check_same_dtype(context);
  check_output(context);
  if (input.shape().empty() || input.shape() != out.shape()) {
    fail(context,
         "`input` and `out` to have the same shape of at least one dimension");
  }
  check_dimensions(context, arguments[1], 1);
  if (weight.shape()[0] != row_length(out)) {
    fail(context, "`weight` to have the size of the last dimension of `out`");
  }
  if (elements_of(out) == 0) {
    return;
  }
  const Detached source(input, out, true);
  const Detached factors(weight, out);
  if (out.dtype() == DataType::kFloat64) {
    run<double>(source.tensor(), factors.tensor(), eps, out);
  } else {
    run<float>(source.tensor(), factors.tensor(), eps, out);
  }
}

}  // namespace infini::ops::cpu
