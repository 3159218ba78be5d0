// The inner loops, as plain functions on raw memory.
//
// A kernel works on a block of at most two dimensions, the first of which is
// the inner one. Strides are in bytes. Operand 0 is the output. An input may be
// the output itself (same address, same strides); no other overlap is allowed.
// Sizes may be 0.
#pragma once

#include <cstddef>

namespace infini::ops::cpu {

struct UnaryBlock {
  char* out;
  const char* in;
  std::size_t size[2];
  std::ptrdiff_t out_stride[2];
  std::ptrdiff_t in_stride[2];
};

struct BinaryBlock {
  char* out;
  const char* a;
  const char* b;
  std::size_t size[2];
  std::ptrdiff_t out_stride[2];
  std::ptrdiff_t a_stride[2];
  std::ptrdiff_t b_stride[2];
};

using UnaryKernel = void (*)(const UnaryBlock& block);
using BinaryKernel = void (*)(const BinaryBlock& block);

inline constexpr int kDataTypes = 12;

// Indexed by the value of DataType.
struct Kernels {
  const char* name;
  BinaryKernel add[kDataTypes];
  BinaryKernel mul[kDataTypes];
  UnaryKernel cast[kDataTypes][kDataTypes];  // [from][to]
  UnaryKernel copy[4];  // of elements of 1, 2, 4 and 8 bytes
};

}  // namespace infini::ops::cpu
