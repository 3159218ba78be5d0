// Counts of a device's memory in use.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>

#include "csrc/memory/block_cache.h"

namespace torch_infini {

inline constexpr std::int64_t kNoLimit =
    std::numeric_limits<std::int64_t>::max();

// What the block cache does not count itself.
struct MemoryCounters {
  std::atomic<std::int64_t> retries{0};  // after a failed Malloc
  std::atomic<std::int64_t> out_of_memory{0};
  // Bytes that may be reserved.
  std::atomic<std::int64_t> limit{kNoLimit};
};

// Lives until the process ends.
MemoryCounters& memory_counters(c10::DeviceIndex index);

// Everything that is counted of a device, as PyTorch names it.
c10::CachingDeviceAllocator::DeviceStats memory_stats(
    const MemoryCounters& counters, const BlockCache::Usage& usage);

}  // namespace torch_infini
