#include <cstdio>
#include <optional>

#include <infini/ops.h>
#include <infini/rt.h>

static_assert(__cplusplus == 201703L, "the headers must compile as C++17");

int main() {
  using namespace infini::ops;
  float a[4] = {1, 2, 3, 4};
  float b[4] = {5, 6, 7, 8};
  float out[4] = {};
  const Tensor::Shape shape{2, 2};
  const Tensor left(a, shape, DataType::kFloat32, Device());
  const Tensor right(b, shape, DataType::kFloat32, Device());
  const Tensor result(out, shape, DataType::kFloat32, Device());
  Operator<Add>::Call(Handle(), Config(), left, right, result);
  if (out[3] != 12.0F) {
    return 1;
  }
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       left,
                       right,
                       std::optional<float>(1.0F),
                       std::optional<float>(0.0F),
                       result);
  if (out[0] != 19.0F || out[3] != 50.0F) {
    return 2;
  }
  const Tensor other(b, shape, DataType::kFloat64, Device());
  try {
    Operator<Mul>::Call(Handle(), Config(), left, other, result);
  } catch (const Error& error) {
    std::puts(error.what());
    return out[0] == 19.0F ? 0 : 3;
  }
  return 4;
}
