#include "csrc/memory/device_allocator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <c10/util/Exception.h>

#include "csrc/memory/deferred_free.h"
#include "csrc/memory/memory_counters.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPage = 4096;
// Room for the block's record, for aligning it and for keeping the data off a
// page's start.
constexpr std::size_t kExtra = 3 * kAlignment;
// Note [Place of large blocks]
// Two buffers of one loop whose addresses differ by 64 modulo a page make the
// loads of one wait for the stores to the other (4 KB aliasing): copies between
// our memory and malloc's were 10 to 20 % slower. Large blocks therefore put
// their data where malloc's own large blocks have theirs, 64 bytes into a page.
constexpr std::size_t kLarge = std::size_t{256} * 1024;
constexpr std::uint64_t kMagic = 0x696e66696e69626cULL;

// What is known of one allocation. Lies in the 64 bytes in front of the data
// where the host can address it, on the heap otherwise.
struct alignas(kAlignment) Block {
  std::uint64_t mark;  // kMagic combined with the data's address; 0 once freed
  void* base;          // what Malloc returned
  void* data;
  std::size_t nbytes;  // as requested
  c10::DeviceIndex device;
  bool in_front;
  // Streams whose work may still use the memory. Owned; null in the common
  // case.
  std::vector<c10::Stream>* streams;
};

static_assert(sizeof(Block) == kAlignment);

std::uint64_t mark_of(const void* data) {
  return kMagic ^ reinterpret_cast<std::uintptr_t>(data);
}

Block* block_in_front_of(void* data) {
  return static_cast<Block*>(data) - 1;
}

[[noreturn]] void raise_out_of_memory(std::size_t nbytes,
                                      c10::DeviceIndex index) {
  std::pair<std::size_t, std::size_t> info{0, 0};
  try {
    info = memory_info(index);
  } catch (const c10::Error&) {  // NOLINT(bugprone-empty-catch): the backend
                                 // may not tell
  }
  TORCH_CHECK_WITH(OutOfMemoryError,
                   false,
                   "infini out of memory. Tried to allocate ",
                   nbytes,
                   " bytes on infini:",
                   static_cast<int>(index),
                   ", which has a total of ",
                   info.second,
                   " bytes of which ",
                   info.first,
                   " are free; ",
                   memory_counters(index).allocated.current,
                   " bytes are in use by PyTorch.");
}

void* malloc_on(std::size_t nbytes,
                c10::DeviceIndex index,
                std::size_t requested) {
  const ScopedDevice guard(index);
  check_not_forked();
  bind_backend();
  void* base = nullptr;
  if (rt::runtime::Malloc(&base, nbytes) != rt::runtime::kSuccess ||
      base == nullptr) {
    // Memory that waits for streams is the only reserve there is.
    drain_deferred_frees();
    if (rt::runtime::Malloc(&base, nbytes) != rt::runtime::kSuccess ||
        base == nullptr) {
      raise_out_of_memory(requested, index);
    }
  }
  return base;
}

Block* make_block_in_front(std::size_t nbytes, c10::DeviceIndex index) {
  TORCH_CHECK_WITH(OutOfMemoryError,
                   nbytes <= SIZE_MAX - kExtra - kPage,
                   "infini out of memory. Tried to allocate ",
                   nbytes,
                   " bytes");
  const bool large = nbytes >= kLarge;
  void* base = malloc_on(nbytes + kExtra + (large ? kPage : 0), index, nbytes);
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  auto aligned = (address + kAlignment - 1) / kAlignment * kAlignment;
  if (large) {
    aligned = (aligned + kPage - 1) / kPage * kPage;
  } else if ((aligned + sizeof(Block)) % kPage == 0) {
    aligned += kAlignment;
  }
  auto* block = reinterpret_cast<Block*>(aligned);
  void* data = block + 1;
  return new (block)
      Block{mark_of(data), base, data, nbytes, index, true, nullptr};
}

Block* make_block_on_heap(std::size_t nbytes, c10::DeviceIndex index) {
  auto block = std::make_unique<Block>();
  void* base = malloc_on(nbytes, index, nbytes);
  *block = Block{mark_of(base), base, base, nbytes, index, false, nullptr};
  return block.release();
}

void release(Block* block) noexcept {
  memory_counters(block->device).allocated.subtract(block->nbytes);
  const std::unique_ptr<std::vector<c10::Stream>> streams(block->streams);
  void* base = block->base;
  const c10::DeviceIndex index = block->device;
  block->mark = 0;
  if (!block->in_front) {
    delete block;
  }
  free_after(base, index, streams.get());
}

void delete_in_front(void* data) {
  release(block_in_front_of(data));
}

void delete_on_heap(void* block) {
  release(static_cast<Block*>(block));
}

void delete_nothing(void* /*context*/) {}

Block* block_of(const c10::DataPtr& data) {
  const c10::DeleterFnPtr deleter = data.get_deleter();
  if (data.get() == nullptr) {
    return nullptr;
  }
  if (deleter == &delete_in_front) {
    return block_in_front_of(data.get_context());
  }
  return deleter == &delete_on_heap ? static_cast<Block*>(data.get_context())
                                    : nullptr;
}

class DeviceAllocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(std::size_t nbytes) override {
    const c10::DeviceIndex index = current_device();
    return allocate_device_memory(
        nbytes, index, c10::Device(kDeviceType, index));
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return backend().can(infini_extension::kHostAccess) ? &delete_in_front
                                                        : nullptr;
  }

  void copy_data(void* destination,
                 const void* source,
                 std::size_t count) const override {
    wait_for_current_stream(current_device());
    INFINI_CHECK(
        Memcpy(destination, source, count, rt::runtime::kMemcpyDeviceToDevice));
  }

  bool initialized() override { return is_initialized(); }

  // Nothing is cached; what waits for streams is freed if it can be.
  void emptyCache(c10::MempoolId_t /*mempool_id*/) override {
    process_deferred_frees();
  }

  void recordStream(const c10::DataPtr& ptr, c10::Stream stream) override {
    (void)record_use(ptr, stream);
  }

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(
      c10::DeviceIndex device) override {
    return memory_counters(check_device_index(device)).stats();
  }

  void resetAccumulatedStats(c10::DeviceIndex device) override {
    memory_counters(check_device_index(device)).reset_accumulated();
  }

  void resetPeakStats(c10::DeviceIndex device) override {
    memory_counters(check_device_index(device)).reset_peak();
  }

  std::pair<std::size_t, std::size_t> getMemoryInfo(
      c10::DeviceIndex device) override {
    return memory_info(device);
  }
};

}  // namespace

c10::DeviceAllocator& device_allocator() {
  static auto* allocator = new DeviceAllocator();
  return *allocator;
}

c10::DataPtr allocate_device_memory(std::size_t nbytes,
                                    c10::DeviceIndex index,
                                    c10::Device tag) {
  if (nbytes == 0) {
    return {nullptr, nullptr, &delete_nothing, tag};
  }
  TORCH_CHECK(nbytes <= PTRDIFF_MAX,
              "cannot allocate a negative number of bytes on infini: ",
              static_cast<std::ptrdiff_t>(nbytes));
  check_not_forked();
  process_deferred_frees();
  const bool in_front = backend().can(infini_extension::kHostAccess);
  Block* block = in_front ? make_block_in_front(nbytes, index)
                          : make_block_on_heap(nbytes, index);
  memory_counters(index).allocated.add(nbytes);
  return in_front
             ? c10::DataPtr(block->data, block->data, &delete_in_front, tag)
             : c10::DataPtr(block->data, block, &delete_on_heap, tag);
}

bool is_device_memory(const c10::DataPtr& data) {
  return block_of(data) != nullptr || data.get_deleter() == &delete_nothing;
}

c10::DeviceIndex device_of_memory(const c10::DataPtr& data) {
  const Block* block = block_of(data);
  return block != nullptr ? block->device : current_device();
}

// Reads the 64 bytes in front of any allocation. These lie on the same page,
// since our data never starts one, but AddressSanitizer may have closed them.
__attribute__((no_sanitize("address"))) bool free_if_device_memory(
    void* data) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  Block* block = block_in_front_of(data);
  if (address % kAlignment != 0 || address % kPage == 0 ||
      block->mark != mark_of(data)) {
    return false;
  }
  release(block);
  return true;
}

bool record_use(const c10::DataPtr& data, c10::Stream stream) {
  check_not_forked();
  Block* block = block_of(data);
  if (block == nullptr || backend().can(infini_extension::kInlineStreams)) {
    return block != nullptr;
  }
  const auto lock = lock_deferred_frees();
  if (block->streams == nullptr) {
    block->streams = new std::vector<c10::Stream>();
  }
  auto& streams = *block->streams;
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) {
    streams.push_back(stream);
  }
  return true;
}

}  // namespace torch_infini
