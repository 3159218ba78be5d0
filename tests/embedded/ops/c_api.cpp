#include "c_api.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <ratio>
#include <string>

#include <infini/ops.h>
#include <infini/rt.h>

namespace {

using infini::ops::Config;
using infini::ops::Handle;
using infini::ops::Operator;
using infini::ops::Tensor;

thread_local std::string t_error;

Tensor view(const InfiniTestTensor& tensor) {
  const Tensor::Shape shape(tensor.sizes, tensor.sizes + tensor.dimensions);
  const Tensor::Strides strides(tensor.strides,
                                tensor.strides + tensor.dimensions);
  return {tensor.data,
          shape,
          static_cast<infini::rt::DataType>(tensor.dtype),
          infini::rt::Device(),
          strides};
}

template <class Function>
int guarded(std::int64_t repeats,
            double* nanoseconds,
            const Function& function) {
  try {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < repeats; ++i) {
      function();
    }
    const std::chrono::duration<double, std::nano> taken =
        std::chrono::steady_clock::now() - start;
    if (nanoseconds != nullptr) {
      *nanoseconds = taken.count();
    }
    return 0;
  } catch (const std::exception& error) {
    t_error = error.what();
    return 1;
  }
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) const char* infini_test_error() {
  return t_error.c_str();
}

__attribute__((visibility("default"))) int infini_test_binary(
    const char* name,
    const InfiniTestTensor* input,
    const InfiniTestTensor* other,
    const InfiniTestTensor* out,
    std::int64_t repeats,
    double* nanoseconds) {
  const Tensor a = view(*input);
  const Tensor b = view(*other);
  const Tensor c = view(*out);
  const Handle handle;
  const Config config;
  if (std::strcmp(name, "Add") == 0) {
    return guarded(repeats, nanoseconds, [&] {
      Operator<infini::ops::Add>::Call(handle, config, a, b, c);
    });
  }
  if (std::strcmp(name, "Mul") == 0) {
    return guarded(repeats, nanoseconds, [&] {
      Operator<infini::ops::Mul>::Call(handle, config, a, b, c);
    });
  }
  return guarded(repeats, nanoseconds, [&] {
    Operator<infini::ops::Swiglu>::Call(handle, config, a, b, c);
  });
}

__attribute__((visibility("default"))) int infini_test_cast(
    const InfiniTestTensor* input, const InfiniTestTensor* out) {
  const Tensor from = view(*input);
  const Tensor to = view(*out);
  return guarded(1, nullptr, [&] {
    Operator<infini::ops::Cast>::Call(Handle(), Config(), from, to);
  });
}

__attribute__((visibility("default"))) int infini_test_gemm(
    const InfiniTestTensor* a,
    const InfiniTestTensor* b,
    const InfiniTestTensor* c,
    float beta,
    std::int64_t repeats,
    double* nanoseconds) {
  const Tensor left = view(*a);
  const Tensor right = view(*b);
  const Tensor out = view(*c);
  const std::optional<float> alpha = 1.0F;
  const std::optional<float> scale = beta;
  return guarded(repeats, nanoseconds, [&] {
    Operator<infini::ops::Gemm>::Call(
        Handle(), Config(), left, right, alpha, scale, out);
  });
}
}
