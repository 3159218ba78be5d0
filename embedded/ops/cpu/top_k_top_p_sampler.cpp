#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "detached.h"
#include "operators.h"
#include "rows.h"
#include "sampling.h"

namespace infini::ops::cpu {

namespace {

constexpr const char* kName = "TopKTopPSampler";

// k and p have one value for all rows or one for each.
void check_per_row(const Context& context,
                   const Argument& argument,
                   std::size_t rows) {
  check_dimensions(context, argument, 1);
  if (argument.tensor->shape()[0] != 1 && argument.tensor->shape()[0] != rows) {
    fail(context,
         "`",
         argument.name,
         "` to have size 1 or the number of rows, ",
         rows);
  }
}

template <class T>
T value_for_row(const Tensor& tensor, DataType as, std::size_t row) {
  T value{};
  const std::ptrdiff_t index =
      tensor.shape()[0] == 1 ? 0 : static_cast<std::ptrdiff_t>(row);
  const char* from = data_of(tensor) +
                     index * tensor.strides()[0] *
                         static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
  cast_kernel(tensor.dtype(), as)(
      {reinterpret_cast<char*>(&value), from, {1, 1}, {sizeof(T), 0}, {0, 0}});
  return value;
}

void check_logits(const Context& context, const Tensor& logits) {
  const std::size_t rows = logits.shape()[0];
  const std::unique_ptr<double[]> values(new double[row_length(logits)]);
  for (std::size_t row = 0; row < rows; ++row) {
    load_row(logits, row, values.get());
    if (!is_distribution(values.get(), row_length(logits))) {
      fail(context,
           "`logits` without NaN and +infinity and with a finite value in each "
           "row; row ",
           row,
           " is not so");
    }
  }
}

void check(const Context& context,
           const Config& config,
           const Tensor& logits,
           const Argument& k,
           const Argument& p,
           const Tensor& out) {
  check_arguments(context, config);
  check_float(context, {"logits", &logits});
  check_dimensions(context, {"logits", &logits}, 2);
  check_dimensions(context, {"out", &out}, 1);
  if (out.dtype() != DataType::kInt32) {
    fail(context, "`out` to have dtype int32");
  }
  check_output(context);
  const std::size_t rows = logits.shape()[0];
  if (out.shape()[0] != rows) {
    fail(context, "`out` to have one element per row of `logits`");
  }
  if (rows != 0 && (logits.shape()[1] == 0 || logits.shape()[1] > INT_MAX)) {
    fail(context, "`logits` to have from 1 to 2**31 - 1 columns");
  }
  if (k.tensor != nullptr) {
    check_per_row(context, k, rows);
    if (k.tensor->dtype() != DataType::kInt32 &&
        k.tensor->dtype() != DataType::kInt64) {
      fail(context, "`k` to have dtype int32 or int64");
    }
  }
  if (p.tensor != nullptr) {
    check_float(context, p);
    check_per_row(context, p, rows);
  }
  if (rows != 0) {
    check_logits(context, logits);
  }
}

void check_all(const Config& config,
               const Tensor& logits,
               const Tensor* k,
               const Tensor* p,
               const Tensor& out) {
  const Argument first{"logits", &logits};
  const Argument last{"out", &out};
  const Argument top_k{"k", k};
  const Argument top_p{"p", p};
  if (k != nullptr && p != nullptr) {
    const Argument arguments[] = {first, top_k, top_p, last};
    check(Context(kName, arguments), config, logits, top_k, top_p, out);
  } else if (k != nullptr || p != nullptr) {
    const Argument arguments[] = {first, k != nullptr ? top_k : top_p, last};
    check(Context(kName, arguments), config, logits, top_k, top_p, out);
  } else {
    const Argument arguments[] = {first, last};
    check(Context(kName, arguments), config, logits, top_k, top_p, out);
  }
}

}  // namespace

void top_k_top_p_sampler(const Config& config,
                         const Tensor& logits,
                         const std::optional<Tensor>& k,
                         const std::optional<Tensor>& p,
                         const Tensor& out) {
  check_all(config, logits, k ? &*k : nullptr, p ? &*p : nullptr, out);
  const std::size_t rows = logits.shape()[0];
  const std::size_t columns = row_length(logits);
  std::vector<double> values(columns);
  std::vector<std::int32_t> drawn(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    load_row(logits, row, values.data());
    const std::int64_t top_k =
        k ? value_for_row<std::int64_t>(*k, DataType::kInt64, row) : 0;
    const double top_p =
        p ? value_for_row<double>(*p, DataType::kFloat64, row) : 1.0;
    drawn[row] = choose(candidates_of(values.data(), columns, top_k, top_p),
                        random_position());
  }
  auto* to = reinterpret_cast<std::int32_t*>(data_of(out));
  for (std::size_t row = 0; row < rows; ++row) {
    to[static_cast<std::ptrdiff_t>(row) * out.strides()[0]] = drawn[row];
  }
}

}  // namespace infini::ops::cpu
