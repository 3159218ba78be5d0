#include "csrc/bridge/hooks.h"

#include <cstddef>

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/Storage.h>

#include "csrc/bridge/storage.h"
#include "csrc/memory/host_allocator.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

class Hooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }

  bool isAvailable() const override { return device_count() > 0; }

  // A device needs no context of its own once the backend has been selected.
  bool hasPrimaryContext(c10::DeviceIndex index) const override {
    return is_initialized() && index >= 0 && index < device_count();
  }

  void init() const override { (void)ensure_device_count(); }

  c10::DeviceIndex deviceCount() const override { return device_count(); }

  void setCurrentDevice(c10::DeviceIndex device) const override {
    set_device(device);
  }

  c10::DeviceIndex getCurrentDevice() const override {
    return current_device();
  }

  c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const override {
    return exchange_device(device);
  }

  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const override {
    return exchange_device(device);
  }

  bool isPinnedPtr(const void* data) const override {
    return is_pinned_memory(data);
  }

  at::Allocator* getPinnedMemoryAllocator() const override {
    return &host_allocator();
  }

  at::Device getDeviceFromPtr(void* /*data*/) const override {
    return {kDeviceType, current_device()};
  }

  const at::Generator& getDefaultGenerator(
      c10::DeviceIndex index) const override {
    refuse_generator();
    return at::PrivateUse1HooksInterface::getDefaultGenerator(index);
  }

  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    refuse_generator();
    return at::PrivateUse1HooksInterface::getNewGenerator(index);
  }

  void resizePrivateUse1Bytes(const c10::Storage& storage,
                              size_t newsize) const override {
    resize_storage(*storage.unsafeGetStorageImpl(), newsize);
  }

 private:
  static void refuse_generator() {
    TORCH_CHECK_NOT_IMPLEMENTED(
        false,
        "torch.Generator is not supported on infini yet. torch.manual_seed and "
        "torch.infini.manual_seed seed the device's random numbers.");
  }
};

}  // namespace

void register_hooks() {
  // Leaked: asked for until the process ends.
  static auto* hooks = new Hooks();
  at::RegisterPrivateUse1HooksInterface(hooks);
}

}  // namespace torch_infini
