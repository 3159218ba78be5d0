#include "csrc/memory/host_route.h"

#include <cstddef>
#include <utility>

#include <c10/core/CPUAllocator.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/runtime/hot_tls.h"

namespace torch_infini {
namespace {

INFINI_HOT_TLS int route = kNoHostRoute;

c10::Allocator* original = nullptr;

void delete_either(void* data) {
  if (data != nullptr && !free_if_device_memory(data)) {
    original->raw_deleter()(data);
  }
}

class RoutedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t nbytes) override {
    if (C10_LIKELY(route == kNoHostRoute)) {
      return original->allocate(nbytes);
    }
    return allocate_device_memory(nbytes,
                                  static_cast<c10::DeviceIndex>(route),
                                  c10::Device(c10::DeviceType::CPU));
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return original->raw_deleter() != nullptr ? &delete_either : nullptr;
  }

  bool is_simple_data_ptr(const c10::DataPtr& data_ptr) const override {
    return original->is_simple_data_ptr(data_ptr);
  }

  void copy_data(void* destination,
                 const void* source,
                 std::size_t count) const override {
    default_copy_data(destination, source, count);
  }
};

}  // namespace

void install_host_route() {
  if (original == nullptr) {
    original = c10::GetCPUAllocator();
    // Leaked: CPU tensors outlive everything.
    c10::SetCPUAllocator(new RoutedAllocator(), /*priority=*/0);
  }
}

int exchange_host_route(int index) noexcept {
  return std::exchange(route, index);
}

NoHostRoute::NoHostRoute() noexcept
    : previous_(exchange_host_route(kNoHostRoute)) {}

NoHostRoute::~NoHostRoute() {
  exchange_host_route(previous_);
}

}  // namespace torch_infini
