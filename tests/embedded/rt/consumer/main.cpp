#include <cstdio>
#include <cstring>
#include <string>

#include <infini/rt.h>

#ifndef WITH_CPU
#error the target carries WITH_CPU
#endif
static_assert(__cplusplus == 201703L, "the headers must compile as C++17");

int main() {
  namespace rt = infini::rt;
  rt::set_runtime_device_type(rt::Device::Type::kCpu);
  void* block = nullptr;
  if (rt::runtime::Malloc(&block, 4 * sizeof(float)) != rt::runtime::kSuccess) {
    return 1;
  }
  const float values[4] = {1, 2, 3, 4};
  if (rt::runtime::Memcpy(
          block, values, sizeof(values), rt::runtime::kMemcpyHostToDevice) !=
      0) {
    return 2;
  }
  const rt::TensorView view{block, rt::TensorView::Shape{2, 2}};
  const std::string text = view.T()[-1].ToString();
  std::puts(text.c_str());
  rt::runtime::Free(block);
  return text == "tensor([2.000000, 4.000000], dtype=float32, device='cpu:0')"
             ? 0
             : 3;
}
