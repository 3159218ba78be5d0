#include "csrc/memory/device_segments.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "csrc/memory/block_cache.h"
#include "csrc/memory/memory_counters.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"

namespace torch_infini {
namespace {

class RuntimeSegments final : public SegmentSource {
 public:
  explicit RuntimeSegments(c10::DeviceIndex index) : index_(index) {}

  void* allocate(std::size_t nbytes) override {
    if (static_cast<std::int64_t>(nbytes) >
        memory_counters(index_).limit - reserved_) {
      return nullptr;
    }
    const ScopedDevice guard(index_);
    bind_backend();
    void* base = nullptr;
    if (rt::runtime::Malloc(&base, nbytes) != rt::runtime::kSuccess ||
        base == nullptr) {
      return nullptr;
    }
    reserved_ += static_cast<std::int64_t>(nbytes);
    return base;
  }

  void release(void* base, std::size_t nbytes) noexcept override {
    const c10::DeviceIndex previous = current_device();
    set_device_unchecked(index_);
    INFINI_WARN_ON_ERROR(Free(base));
    set_device_unchecked(previous);
    reserved_ -= static_cast<std::int64_t>(nbytes);
  }

 private:
  c10::DeviceIndex index_;
  std::int64_t reserved_ = 0;  // bytes; under the cache's lock
};

struct Device {
  RuntimeSegments segments;
  BlockCache cache;

  explicit Device(c10::DeviceIndex index)
      : segments(index),
        cache(segments, index, backend().can(infini_extension::kHostAccess)) {}
};

// Leaked: tensors may die while static objects are destroyed.
constinit std::array<std::atomic<Device*>, kMostDevices> devices{};

Device* make_device(c10::DeviceIndex index) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  std::atomic<Device*>& slot = devices[static_cast<std::size_t>(index)];
  if (slot == nullptr) {
    slot = new Device(index);
  }
  return slot;
}

}  // namespace

BlockCache& block_cache(c10::DeviceIndex index) {
  Device* device =
      devices[static_cast<std::size_t>(index)].load(std::memory_order_acquire);
  return (device != nullptr ? device : make_device(index))->cache;
}

void release_unused_segments() noexcept {
  for (const std::atomic<Device*>& slot : devices) {
    Device* device = slot;
    if (device != nullptr) {
      device->cache.release_unused();
    }
  }
}

}  // namespace torch_infini
