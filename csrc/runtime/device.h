// Devices of the selected backend and the calling thread's current one.
//
// The current device is a property of the thread, 0 at first. It is kept here
// and told to the runtime when it changes, so reading it costs no runtime call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>

#include "embedded/extension.h"

namespace torch_infini {

inline constexpr c10::DeviceType kDeviceType = c10::DeviceType::PrivateUse1;
inline constexpr c10::DispatchKey kDispatchKey = c10::DispatchKey::PrivateUse1;

// As many as a DeviceIndex can tell apart.
inline constexpr std::size_t kMostDevices =
    std::numeric_limits<c10::DeviceIndex>::max() + 1;

// 0 when the backend cannot be selected; never raises.
c10::DeviceIndex device_count() noexcept;

// Raises when there is none or when INFINI_BACKEND cannot be satisfied.
c10::DeviceIndex ensure_device_count();

c10::DeviceIndex current_device();

// Raises for an index that is not in [0, device_count). Never narrows before
// the check.
void set_device(std::int64_t index);
// Returns the previous device. A negative index changes nothing.
c10::DeviceIndex exchange_device(std::int64_t index);
// For guards' destructors.
void set_device_unchecked(c10::DeviceIndex index) noexcept;

// The index as a DeviceIndex, or an error that names it and the number of
// devices.
c10::DeviceIndex check_device_index(std::int64_t index);
// The device's index, the current device's if it has none. Raises for other
// device types.
c10::DeviceIndex resolve_device(c10::Device device);

// Waits for all work of the device.
void synchronize_device(c10::DeviceIndex index);

infini_extension::DeviceProperties device_properties(c10::DeviceIndex index);

// Free and total memory in bytes.
std::pair<std::size_t, std::size_t> memory_info(c10::DeviceIndex index);

// Makes a device current for a scope. Unlike c10::DeviceGuard it needs no
// registered backend.
class ScopedDevice {
 public:
  explicit ScopedDevice(c10::DeviceIndex index)
      : previous_(exchange_device(index)) {}

  ~ScopedDevice() { set_device_unchecked(previous_); }

  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;
  ScopedDevice(ScopedDevice&&) = delete;
  ScopedDevice& operator=(ScopedDevice&&) = delete;

 private:
  c10::DeviceIndex previous_;
};

}  // namespace torch_infini
