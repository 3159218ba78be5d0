#include "csrc/bridge/guard.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/event.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

class GuardImpl final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return kDeviceType; }

  c10::Device exchangeDevice(c10::Device device) const override {
    check_type(device);
    return {kDeviceType, exchange_device(device.index())};
  }

  c10::Device getDevice() const override {
    return {kDeviceType, current_device()};
  }

  void setDevice(c10::Device device) const override {
    check_type(device);
    if (device.has_index()) {
      set_device(device.index());
    }
  }

  void uncheckedSetDevice(c10::Device device) const noexcept override {
    set_device_unchecked(device.index());
  }

  c10::Stream getStream(c10::Device device) const override {
    return current_stream(resolve_device(device));
  }

  c10::Stream getDefaultStream(c10::Device device) const override {
    return default_stream(resolve_device(device));
  }

  // Priority is a hint there, and no stream is faster than another here.
  c10::Stream getStreamFromGlobalPool(
      c10::Device device, bool /*is_high_priority*/) const override {
    return stream_from_pool(resolve_device(device), 0);
  }

  c10::Stream getNewStream(c10::Device device, int priority) const override {
    return stream_from_pool(resolve_device(device), priority);
  }

  c10::Stream exchangeStream(c10::Stream stream) const override {
    return exchange_stream(stream);
  }

  void* getStreamNativeHandle(const c10::Stream stream) const override {
    return reinterpret_cast<void*>(native_stream(stream));
  }

  void destroyEvent(void* event,
                    const c10::DeviceIndex index) const noexcept override {
    destroy_event(event, index);
  }

  void record(void** event,
              const c10::Stream& stream,
              const c10::DeviceIndex index,
              const c10::EventFlag /*flag*/) const override {
    record_event(event, stream, index);
  }

  void block(void* event, const c10::Stream& stream) const override {
    block_stream(event, stream);
  }

  bool queryEvent(void* event) const override { return query_event(event); }

  void synchronizeEvent(void* event) const override {
    synchronize_event(event);
  }

  double elapsedTime(void* start,
                     void* end,
                     const c10::DeviceIndex index) const override {
    return elapsed_time(start, end, index);
  }

  c10::DeviceIndex deviceCount() const noexcept override {
    return device_count();
  }

  c10::DeviceCapability getDeviceCapability(c10::Device device) const override {
    (void)resolve_device(device);
    return {};
  }

  bool queryStream(const c10::Stream& stream) const override {
    return query_stream(stream);
  }

  void synchronizeStream(const c10::Stream& stream) const override {
    synchronize_stream(stream);
  }

  void synchronizeDevice(const c10::DeviceIndex index) const override {
    synchronize_device(index);
  }

  void recordDataPtrOnStream(const c10::DataPtr& data,
                             const c10::Stream& stream) const override {
    record_use(data, stream);
  }

 private:
  static void check_type(c10::Device device) {
    TORCH_CHECK(device.type() == kDeviceType,
                "expected an infini device, got ",
                device);
  }
};

}  // namespace

void register_guard() {
  // Leaked, as c10 asks for.
  static const c10::impl::DeviceGuardImplRegistrar registrar(kDeviceType,
                                                             new GuardImpl());
}

}  // namespace torch_infini
