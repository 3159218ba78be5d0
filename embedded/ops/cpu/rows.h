// Operators that work on one row (the last dimension) at a time.
//
// A row is converted to float, or to double for float64 tensors, worked on
// there, and converted back once.
#pragma once

#include <cstddef>
#include <memory>

#include "check.h"
#include "parallel.h"
#include "target.h"

namespace infini::ops::cpu {

// Rows of a tensor of at least one dimension.
inline std::size_t row_length(const Tensor& tensor) {
  return tensor.shape().back();
}

// The address of the row with the given row-major number.
char* row_address(const Tensor& tensor, std::size_t row);

template <class Compute>
inline constexpr DataType kComputeType = DataType::kFloat32;
template <>
inline constexpr DataType kComputeType<double> = DataType::kFloat64;

inline UnaryKernel cast_kernel(DataType from, DataType to) {
  return kernels()
      .cast[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

template <class Compute>
void load_row(const Tensor& tensor, std::size_t row, Compute* values) {
  const auto stride = tensor.strides().back() *
                      static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
  cast_kernel(tensor.dtype(),
              kComputeType<Compute>)({reinterpret_cast<char*>(values),
                                      row_address(tensor, row),
                                      {row_length(tensor), 1},
                                      {sizeof(Compute), 0},
                                      {stride, 0}});
}

template <class Compute>
void store_row(const Compute* values, const Tensor& tensor, std::size_t row) {
  const auto stride = tensor.strides().back() *
                      static_cast<std::ptrdiff_t>(size_of(tensor.dtype()));
  cast_kernel(kComputeType<Compute>,
              tensor.dtype())({row_address(tensor, row),
                               reinterpret_cast<const char*>(values),
                               {row_length(tensor), 1},
                               {stride, 0},
                               {sizeof(Compute), 0}});
}

// The sum of term(i) for i < length, in eight running sums: they add in
// parallel, and a rounding error is carried through an eighth of the additions.
template <class Term>
double sum_of(std::size_t length, const Term& term) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  const std::size_t whole = length / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums) {
    for (std::size_t lane = 0; lane < kSums; ++lane) {
      sums[lane] += term(i + lane);
    }
  }
  for (std::size_t i = whole; i < length; ++i) {
    sums[i - whole] += term(i);
  }
  double total = 0;
  for (const double sum : sums) {
    total += sum;
  }
  return total;
}

// Calls function(row, values) for each row, `values` being room for one row, on
// several threads where there are at least 2 * `grain` elements.
template <class Compute, class Function>
void for_each_row(std::size_t rows,
                  std::size_t length,
                  std::size_t grain,
                  const Function& function) {
  const std::size_t wanted = parts_of(rows * length, grain);
  const std::size_t parts = wanted < rows ? wanted : rows;
  const std::unique_ptr<Compute[]> values(new Compute[parts * length]);
  parallel_for(parts, [&](std::size_t part) {
    const std::size_t end = rows * (part + 1) / parts;
    for (std::size_t row = rows * part / parts; row < end; ++row) {
      function(row, values.get() + part * length);
    }
  });
}

}  // namespace infini::ops::cpu
