#include <cmath>
#include <cstddef>
#include <memory>

#include "elementwise.h"
#include "half.h"
#include "operators.h"

namespace infini::ops::cpu {

namespace {

constexpr std::size_t kGrainOfSwiglu = 2048;

double load(Half value) {
  return half_to_float(value);
}

double load(BFloat value) {
  return bfloat_to_float(value);
}

double load(float value) {
  return value;
}

double load(double value) {
  return value;
}

template <class T>
T store(double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return float_to_half(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, BFloat>) {
    return float_to_bfloat(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
void kernel(const BinaryBlock& block) {
  for (std::size_t j = 0; j < block.size[1]; ++j) {
    const auto row = static_cast<std::ptrdiff_t>(j);
    char* out = block.out + row * block.out_stride[1];
    const char* input = block.a + row * block.a_stride[1];
    const char* gate = block.b + row * block.b_stride[1];
    for (std::size_t i = 0; i < block.size[0]; ++i) {
      const double opening = load(*reinterpret_cast<const T*>(gate));
      const double value = load(*reinterpret_cast<const T*>(input));
      *reinterpret_cast<T*>(out) =
          store<T>(value * (opening / (1.0 + std::exp(-opening))));
      out += block.out_stride[0];
      input += block.a_stride[0];
      gate += block.b_stride[0];
    }
  }
}

BinaryKernel kernel_of(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return kernel<Half>;
    case DataType::kBFloat16:
      return kernel<BFloat>;
    case DataType::kFloat32:
      return kernel<float>;
    default:
      return kernel<double>;
  }
}

}  // namespace

void swiglu(const Config& config,
            const Tensor& input,
            const Tensor& gate,
            const Tensor& out) {
  const Argument arguments[] = {
      {"input", &input}, {"gate", &gate}, {"out", &out}};
  const Context context("Swiglu", arguments);
  const View views[] = {view_of(out), view_of(input), view_of(gate)};
  Plan<3> plan;
  const std::size_t elements = make_plan(views, &plan);
  if (elements == 0 || config.implementation_index() != 0) {
    check_elementwise(context, config);
  }
  check_float(context, arguments[0]);
  check_same_dtype(context);
  if (elements == 0) {
    return;
  }
  std::unique_ptr<char[]> copies[3];
  separate(context, views, &plan, copies);
  const std::size_t size = size_of(out.dtype());
  const BinaryKernel run = kernel_of(out.dtype());
  run_plan(plan,
           {size, size, size},
           elements,
           kGrainOfSwiglu,
           [run](const Plan<3>& block) { run(binary_block(block)); });
}

}  // namespace infini::ops::cpu
