#include <cmath>
#include <cstddef>

#include "detached.h"
#include "operators.h"
#include "rows.h"

namespace infini::ops::cpu {

namespace {

constexpr std::size_t kGrainOfSoftmax = 2048;

template <class Compute>
void softmax(Compute* values, std::size_t length) {
  Compute largest = values[0];
  for (std::size_t i = 1; i < length; ++i) {
    largest =
        values[i] > largest || std::isnan(values[i]) ? values[i] : largest;
  }
  for (std::size_t i = 0; i < length; ++i) {
    values[i] = std::exp(values[i] - largest);
  }
  const double sum = sum_of(length, [values](std::size_t i) {
    return static_cast<double>(values[i]);
  });
  for (std::size_t i = 0; i < length; ++i) {
    values[i] = static_cast<Compute>(static_cast<double>(values[i]) / sum);
  }
}

template <class Compute>
void run(const Tensor& input, const Tensor& out) {
  const std::size_t columns = row_length(out);
  const std::size_t rows = out.shape()[out.shape().size() - 2];
  for_each_row<Compute>(elements_of(out) / columns,
                        columns,
                        kGrainOfSoftmax,
                        [&](std::size_t row, Compute* values) {
                          load_row(input, row, values);
                          const std::size_t visible =
                              columns - rows + row % rows + 1;
                          softmax(values, visible);
                          for (std::size_t i = visible; i < columns; ++i) {
                            values[i] = 0;
                          }
                          store_row(values, out, row);
                        });
}

}  // namespace

void causal_softmax(const Config& config,
                    const Tensor& input,
                    const Tensor& out) {
  const Argument arguments[] = {{"input", &input}, {"out", &out}};
  const Context context("CausalSoftmax", arguments);
  check_arguments(context, config);
  check_float(context, arguments[0]);
  check_same_dtype(context);
  check_output(context);
  const auto& shape = out.shape();
  if (input.shape() != shape || (shape.size() != 2 && shape.size() != 3)) {
    fail(context,
         "`input` and `out` to have the same shape of two or three dimensions");
  }
  if (shape[shape.size() - 2] > shape.back()) {
    fail(context, "no more rows than columns");
  }
  if (elements_of(out) == 0) {
    return;
  }
  const Detached source(input, out, true);
  if (out.dtype() == DataType::kFloat64) {
    run<double>(source.tensor(), out);
  } else {
    run<float>(source.tensor(), out);
  }
}

}  // namespace infini::ops::cpu
