#include <optional>

#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/TensorBody.h>
#include <ATen/native/TensorFactories.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/ops/native.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

constexpr c10::DispatchKeySet kKeys(kDispatchKey);

void check_options(std::optional<at::Layout> layout,
                   std::optional<bool> pin_memory) {
  TORCH_CHECK_NOT_IMPLEMENTED(layout.value_or(at::kStrided) == at::kStrided,
                              "infini has strided tensors only, got layout ",
                              layout.value_or(at::kStrided));
  TORCH_CHECK(!pin_memory.value_or(false),
              "Only dense CPU tensors can be pinned");
}

c10::DeviceIndex index_of(std::optional<at::Device> device) {
  return resolve_device(device.value_or(c10::Device(kDeviceType)));
}

// What torch.use_deterministic_algorithms asks of fresh memory: NaN or the
// largest value.
at::Tensor filled_if_deterministic(at::Tensor tensor) {
  if (C10_UNLIKELY(
          at::globalContext().deterministicAlgorithms() &&
          at::globalContext().deterministicFillUninitializedMemory())) {
    at::native::fill_empty_deterministic_(tensor);
  }
  return tensor;
}

at::Tensor empty(at::IntArrayRef size,
                 std::optional<at::ScalarType> dtype,
                 std::optional<at::Layout> layout,
                 std::optional<at::Device> device,
                 std::optional<bool> pin_memory,
                 std::optional<at::MemoryFormat> memory_format) {
  check_options(layout, pin_memory);
  const ScopedDevice guard(index_of(device));
  return filled_if_deterministic(
      at::detail::empty_generic(size,
                                &device_allocator(),
                                kKeys,
                                c10::dtype_or_default(dtype),
                                memory_format));
}

at::Tensor empty_strided(at::IntArrayRef size,
                         at::IntArrayRef stride,
                         std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout> layout,
                         std::optional<at::Device> device,
                         std::optional<bool> pin_memory) {
  check_options(layout, pin_memory);
  const ScopedDevice guard(index_of(device));
  return filled_if_deterministic(at::detail::empty_strided_generic(
      size, stride, &device_allocator(), kKeys, c10::dtype_or_default(dtype)));
}

// A tensor of zeros without memory, which forward-mode derivatives use.
at::Tensor efficient_zero_tensor(at::IntArrayRef size,
                                 std::optional<at::ScalarType> dtype,
                                 std::optional<at::Layout> layout,
                                 std::optional<at::Device> device,
                                 std::optional<bool> pin_memory) {
  check_options(layout, pin_memory);
  at::native::ZeroTensorAllocator nothing(
      c10::Device(kDeviceType, index_of(device)));
  at::Tensor zeros = at::detail::empty_generic(
      size,
      &nothing,
      kKeys | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor),
      c10::dtype_or_default(dtype),
      std::nullopt);
  // The allocator does not outlive this call.
  zeros.storage().unsafeGetStorageImpl()->set_allocator(&device_allocator());
  return zeros;
}

}  // namespace

void register_factories(torch::Library& library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("_efficientzerotensor", &efficient_zero_tensor);
}

}  // namespace torch_infini
