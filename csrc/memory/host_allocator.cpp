#include "csrc/memory/host_allocator.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include <c10/util/Exception.h>

#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/event.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

constexpr std::size_t kAlignment = 64;

// The address ranges of pinned memory, cached blocks included.
class PinnedRanges {
 public:
  // `base` is what the runtime gave, `start` where the range begins.
  void insert(const void* start, std::size_t size, void* base) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    ranges_[address(start)] = {size, base};
  }

  // Returns the base of the range that begins there.
  void* erase(const void* start) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto found = ranges_.find(address(start));
    void* base = found->second.base;
    ranges_.erase(found);
    return base;
  }

  bool contains(const void* pointer) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    auto next = ranges_.upper_bound(address(pointer));
    if (next == ranges_.begin()) {
      return false;
    }
    --next;
    return address(pointer) - next->first < next->second.size;
  }

 private:
  struct Range {
    std::size_t size;
    void* base;
  };

  static std::uintptr_t address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }

  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Range> ranges_;
};

PinnedRanges& ranges() {
  static auto* instance = new PinnedRanges();
  return *instance;
}

using Block = at::HostBlock<c10::Stream>;

struct PinnedCache final
    : at::CachingHostAllocatorImpl<c10::Stream, OwnedEvent, Block> {
  // A child must not get the parent's cached blocks either.
  std::pair<void*, void*> allocate(std::size_t size) override {
    check_not_forked();
    // The cache rounds up to a power of two, which would wrap.
    if (size > PTRDIFF_MAX) {
      raise_out_of_memory(size);
    }
    return CachingHostAllocatorImpl::allocate(size);
  }

 private:
  [[noreturn]] static void raise_out_of_memory(std::size_t size) {
    TORCH_CHECK_WITH(OutOfMemoryError,
                     false,
                     "infini out of pinned host memory. Tried to allocate ",
                     size,
                     " bytes");
  }

  static bool malloc_host(std::size_t size, void** base) {
    bind_backend();
    return rt::runtime::MallocHost(base, size) == rt::runtime::kSuccess &&
           *base != nullptr;
  }

  // Takes more only where the runtime does not align by itself, as upstream's
  // CPU backend.
  static bool try_allocate(std::size_t size, void** ptr) {
    void* base = nullptr;
    if (!malloc_host(size, &base)) {
      return false;
    }
    if (reinterpret_cast<std::uintptr_t>(base) % kAlignment != 0) {
      INFINI_WARN_ON_ERROR(FreeHost(base));
      if (!malloc_host(size + kAlignment - 1, &base)) {
        return false;
      }
    }
    std::size_t space = size + kAlignment - 1;
    *ptr = base;
    std::align(kAlignment, size, *ptr, space);
    ranges().insert(*ptr, size, base);
    return true;
  }

  void allocate_host_memory(std::size_t size, void** ptr) override {
    TORCH_CHECK_NOT_IMPLEMENTED(
        backend().can(infini_extension::kHostAllocation),
        "the InfiniRT backend '",
        backend().name,
        "' does not offer pinned host memory");
    if (!try_allocate(size, ptr)) {
      empty_cache();
      if (!try_allocate(size, ptr)) {
        raise_out_of_memory(size);
      }
    }
  }

  void free_block(Block* block) override {
    void* base = ranges().erase(block->ptr_);
    INFINI_WARN_ON_ERROR(FreeHost(base));
  }

  // Runs in destructors. The base class counts on one event for each stream, so
  // a stream that could only be waited for gets a null event, which counts as
  // done.
  void record_stream(std::optional<std::vector<OwnedEvent>>& events,
                     c10::Stream stream) override {
    if (!events.has_value()) {
      events.emplace();
    }
    OwnedEvent event(nullptr);
    try {
      event = recorded_event(stream);
    } catch (...) {
      wait_quietly(stream);
    }
    events->push_back(std::move(event));
  }

  bool query_event(OwnedEvent& event) override { return is_over(event); }

  c10::Stream get_current_stream() const override {
    return torch_infini::current_stream(current_device());
  }

  bool stream_is_capturing(c10::Stream /*stream*/) const override {
    return false;
  }
};

void delete_pinned(void* context);

class HostAllocator final
    : public at::CachingHostAllocatorInterface<PinnedCache, &delete_pinned> {};

HostAllocator& instance() {
  // Leaked: pinned tensors may die while static objects are destroyed.
  static auto* allocator = new HostAllocator();
  return *allocator;
}

void delete_pinned(void* context) {
  if (!in_bad_fork()) {
    instance().free(context);
  }
}

}  // namespace

at::HostAllocator& host_allocator() {
  return instance();
}

bool is_pinned_memory(const void* address) {
  return !in_bad_fork() && ranges().contains(address);
}

bool record_pinned_use(const c10::DataPtr& data, c10::Stream stream) {
  if (backend().can(infini_extension::kInlineStreams)) {
    return is_pinned_memory(data.get());
  }
  return instance().record_event(
      const_cast<void*>(data.get()), data.get_context(), stream);
}

}  // namespace torch_infini
