#include "csrc/runtime/device.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include <c10/util/Exception.h>

#include "csrc/runtime/backend.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/hot_tls.h"

namespace torch_infini {
namespace {

// The thread's current device, and the one that the runtime was last told on
// this thread.
INFINI_HOT_TLS c10::DeviceIndex current = 0;
INFINI_HOT_TLS c10::DeviceIndex told = 0;

}  // namespace

c10::DeviceIndex device_count() noexcept {
  try {
    constexpr int kMax = std::numeric_limits<c10::DeviceIndex>::max();
    return static_cast<c10::DeviceIndex>(
        std::min(backend().device_count, kMax));
  } catch (...) {
    return 0;
  }
}

c10::DeviceIndex ensure_device_count() {
  check_not_forked();
  TORCH_CHECK(backend().device_count > 0,
              "no infini device is available: InfiniRT was built for ",
              c10::Join(", ", compiled_backends()),
              " and none of these reports a device");
  return device_count();
}

c10::DeviceIndex current_device() {
  return current;
}

c10::DeviceIndex check_device_index(std::int64_t index) {
  const c10::DeviceIndex count = ensure_device_count();
  TORCH_CHECK(
      index >= 0 && index < count,
      "infini device index ",
      index,
      " is out of range: there ",
      count == 1
          ? "is 1 infini device (infini:0)"
          : c10::str("are ", static_cast<int>(count), " infini devices"));
  return static_cast<c10::DeviceIndex>(index);
}

c10::DeviceIndex resolve_device(c10::Device device) {
  TORCH_CHECK(
      device.type() == kDeviceType, "expected an infini device, got ", device);
  return check_device_index(device.has_index() ? device.index() : current);
}

void set_device(std::int64_t index) {
  const c10::DeviceIndex checked = check_device_index(index);
  if (checked != told) {
    INFINI_CHECK(SetDevice(checked));
    told = checked;
  }
  current = checked;
}

c10::DeviceIndex exchange_device(std::int64_t index) {
  const c10::DeviceIndex previous = current;
  if (index >= 0 && (index != current || index != told)) {
    set_device(index);
  }
  return previous;
}

void set_device_unchecked(c10::DeviceIndex index) noexcept {
  if (index < 0 || (index == current && index == told)) {
    return;
  }
  if (index != told) {
    INFINI_WARN_ON_ERROR(SetDevice(index));
    told = index;
  }
  current = index;
}

void synchronize_device(c10::DeviceIndex index) {
  const ScopedDevice guard(check_device_index(index));
  INFINI_CHECK(DeviceSynchronize());
}

infini_extension::DeviceProperties device_properties(c10::DeviceIndex index) {
  const c10::DeviceIndex checked = check_device_index(index);
  infini_extension::DeviceProperties properties{};
  const Backend& used = backend();
  if (used.extension != nullptr) {
    bind_backend();
    check_status(used.extension->device_properties(checked, &properties),
                 "device_properties");
    return properties;
  }
  const std::string name =
      c10::str("InfiniRT ", used.name, " device ", static_cast<int>(checked));
  name.copy(properties.name, sizeof(properties.name) - 1);
  properties.total_memory = memory_info(checked).second;
  if (used.type == rt::Device::Type::kCpu) {
    properties.multi_processor_count =
        static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  return properties;
}

std::pair<std::size_t, std::size_t> memory_info(c10::DeviceIndex index) {
  const ScopedDevice guard(check_device_index(index));
  std::size_t free = 0;
  std::size_t total = 0;
  INFINI_CHECK(MemGetInfo(&free, &total));
  return {free, total};
}

}  // namespace torch_infini
