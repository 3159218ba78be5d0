#include "runtime.h"

#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>

namespace demo {
namespace {

constexpr c10::DeviceType kDevice = c10::DeviceType::PrivateUse1;
constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

struct Allocator final : c10::Allocator {
  c10::DataPtr allocate(std::size_t bytes) override {
    void* data = bytes == 0 ? nullptr : c10::alloc_cpu(bytes);
    return {data, data, &c10::free_cpu, c10::Device(kDevice, 0)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &c10::free_cpu; }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

Allocator allocator;
REGISTER_ALLOCATOR(kDevice, &allocator)

// One device with one stream: there is nothing to select.
struct Guard final : c10::impl::NoOpDeviceGuardImpl<kDevice> {
  c10::Device getDevice() const override { return {kDevice, 0}; }

  c10::Device exchangeDevice(c10::Device) const override { return getDevice(); }

  c10::Stream getStream(c10::Device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, getDevice());
  }

  c10::Stream exchangeStream(c10::Stream) const noexcept override {
    return getStream(getDevice());
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }

  bool isAvailable() const override { return true; }

  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};

Hooks hooks;
const bool registered = [] {
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

c10::ScalarType type_of(const at::TensorOptions& options) {
  return options.dtype().toScalarType();
}

}  // namespace

at::Tensor empty(at::IntArrayRef sizes, const at::TensorOptions& options) {
  return at::detail::empty_generic(
      sizes, &allocator, kKeys, type_of(options), options.memory_format_opt());
}

at::Tensor empty_strided(at::IntArrayRef sizes,
                         at::IntArrayRef strides,
                         const at::TensorOptions& options) {
  return at::detail::empty_strided_generic(
      sizes, strides, &allocator, kKeys, type_of(options));
}

at::Tensor on_host(const at::Tensor& tensor) {
  if (tensor.is_cpu()) {
    return tensor;
  }
  return at::from_blob(tensor.mutable_data_ptr(),
                       tensor.sizes(),
                       tensor.strides(),
                       tensor.options().device(c10::kCPU));
}

}  // namespace demo
