// A C interface to some operators of libinfiniops, for Python programs that
// hold the same memory as PyTorch tensors (through ctypes). Test and benchmark
// use only; not installed.
//
// Each function returns 0, or 1 after an exception whose message
// infini_test_error() gives to the same thread. `repeats` calls are made;
// `nanoseconds` receives the time of all of them.
#pragma once

#include <cstdint>

extern "C" {

struct InfiniTestTensor {
  void* data;
  std::int64_t dimensions;
  std::int64_t sizes[8];
  std::int64_t strides[8];  // in elements
  std::int32_t dtype;       // the value of DataType
};

const char* infini_test_error();

// `name` is Add, Mul or Swiglu.
int infini_test_binary(const char* name,
                       const InfiniTestTensor* input,
                       const InfiniTestTensor* other,
                       const InfiniTestTensor* out,
                       std::int64_t repeats,
                       double* nanoseconds);
int infini_test_cast(const InfiniTestTensor* input,
                     const InfiniTestTensor* out);
int infini_test_gemm(const InfiniTestTensor* a,
                     const InfiniTestTensor* b,
                     const InfiniTestTensor* c,
                     float beta,
                     std::int64_t repeats,
                     double* nanoseconds);
}
