#include "csrc/memory/device_allocator.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <c10/util/Exception.h>

#include "csrc/memory/block_cache.h"
#include "csrc/memory/deferred_free.h"
#include "csrc/memory/device_segments.h"
#include "csrc/memory/memory_counters.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

using Streams = std::vector<c10::Stream>;

[[noreturn]] void raise_out_of_memory(std::size_t nbytes,
                                      c10::DeviceIndex index) {
  std::pair<std::size_t, std::size_t> info{0, 0};
  try {
    info = memory_info(index);
  } catch (const c10::Error&) {  // NOLINT(bugprone-empty-catch): the backend
                                 // may not tell
  }
  MemoryCounters& counters = memory_counters(index);
  ++counters.out_of_memory;
  const std::int64_t limit = counters.limit;
  const BlockCache::Usage usage = block_cache(index).usage();
  TORCH_CHECK_WITH(
      OutOfMemoryError,
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
      usage.requested.current,
      " bytes are in use by PyTorch and ",
      usage.reserved.current,
      " reserved",
      limit == kNoLimit
          ? std::string(".")
          : c10::str(
                ", of at most ", limit, " (set_per_process_memory_fraction)."));
}

Block* allocate_block(std::size_t nbytes, c10::DeviceIndex index) {
  if (nbytes > BlockCache::kLargest) {
    raise_out_of_memory(nbytes, index);
  }
  BlockCache& cache = block_cache(index);
  Block* block = cache.allocate(nbytes);
  if (C10_UNLIKELY(block == nullptr)) {
    // Memory that waits for streams is the last reserve there is.
    ++memory_counters(index).retries;
    drain_deferred_frees();
    block = cache.allocate(nbytes);
  }
  if (C10_UNLIKELY(block == nullptr)) {
    raise_out_of_memory(nbytes, index);
  }
  return block;
}

void release(Block* block) noexcept {
  // Only an owner can add another, so one that is alone stays alone.
  const std::atomic_ref<std::int32_t> more(block->more_owners);
  if (C10_UNLIKELY(more.load(std::memory_order_acquire) != 0) &&
      more.fetch_sub(1, std::memory_order_acq_rel) > 0) {
    return;
  }
  const std::unique_ptr<Streams> streams(static_cast<Streams*>(block->owner));
  free_after(block, streams.get());
}

void delete_by_data(void* data) {
  release(BlockCache::find(data));
}

void delete_by_record(void* block) {
  release(static_cast<Block*>(block));
}

void delete_nothing(void* /*context*/) {}

Block* block_of(const c10::DataPtr& data) {
  const c10::DeleterFnPtr deleter = data.get_deleter();
  if (data.get() == nullptr) {
    return nullptr;
  }
  if (deleter == &delete_by_data) {
    return BlockCache::find(data.get_context());
  }
  return deleter == &delete_by_record ? static_cast<Block*>(data.get_context())
                                      : nullptr;
}

c10::DataPtr data_of(Block* block, c10::Device tag) {
  return block->has_header
             ? c10::DataPtr(block->data, block->data, &delete_by_data, tag)
             : c10::DataPtr(block->data, block, &delete_by_record, tag);
}

class DeviceAllocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(std::size_t nbytes) override {
    const c10::DeviceIndex index = current_device();
    return allocate_device_memory(
        nbytes, index, c10::Device(kDeviceType, index));
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return backend().can(infini_extension::kHostAccess) ? &delete_by_data
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

  void emptyCache(c10::MempoolId_t /*mempool_id*/) override {
    process_deferred_frees();
    release_unused_segments();
  }

  void recordStream(const c10::DataPtr& ptr, c10::Stream stream) override {
    (void)record_use(ptr, stream);
  }

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(
      c10::DeviceIndex device) override {
    return memory_stats(memory_counters(check_device_index(device)),
                        block_cache(device).usage());
  }

  void resetAccumulatedStats(c10::DeviceIndex device) override {
    MemoryCounters& counters = memory_counters(check_device_index(device));
    counters.retries = 0;
    counters.out_of_memory = 0;
    block_cache(device).reset_accumulated();
  }

  void resetPeakStats(c10::DeviceIndex device) override {
    block_cache(check_device_index(device)).reset_peak();
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
  Block* block = allocate_block(nbytes, index);
  return data_of(block, tag);
}

c10::DataPtr share_device_memory(const c10::DataPtr& data, c10::Device tag) {
  Block* block = block_of(data);
  if (block == nullptr) {
    return {nullptr, tag};
  }
  std::atomic_ref(block->more_owners).fetch_add(1, std::memory_order_relaxed);
  return data_of(block, tag);
}

bool is_device_memory(const c10::DataPtr& data) {
  return block_of(data) != nullptr || data.get_deleter() == &delete_nothing;
}

bool is_memory_of(const c10::DataPtr& data, c10::DeviceIndex index) {
  const Block* block = block_of(data);
  return block != nullptr ? block->device == index
                          : data.get_deleter() == &delete_nothing;
}

bool free_if_device_memory(void* data) noexcept {
  Block* block = BlockCache::find(data);
  if (block != nullptr) {
    release(block);
  }
  return block != nullptr;
}

bool record_use(const c10::DataPtr& data, c10::Stream stream) {
  check_not_forked();
  Block* block = block_of(data);
  if (block == nullptr || backend().can(infini_extension::kInlineStreams)) {
    return block != nullptr;
  }
  const auto lock = lock_deferred_frees();
  if (block->owner == nullptr) {
    block->owner = new Streams();
  }
  Streams& streams = *static_cast<Streams*>(block->owner);
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) {
    streams.push_back(stream);
  }
  return true;
}

}  // namespace torch_infini
