#include "csrc/memory/memory_counters.h"

#include <array>
#include <cstddef>

#include "csrc/memory/block_cache.h"
#include "csrc/memory/counter.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

using c10::CachingAllocator::Stat;
using c10::CachingAllocator::StatType;

Stat bytes(const Counter& counter) {
  Stat stat;
  stat.current = counter.current;
  stat.peak = counter.peak;
  stat.allocated = counter.allocated - counter.allocated_before;
  stat.freed = counter.allocated - counter.current - counter.freed_before;
  return stat;
}

Stat counts(const Counter& counter) {
  Stat stat;
  stat.allocated = counter.allocations - counter.allocations_before;
  stat.freed = counter.frees - counter.frees_before;
  stat.current = counter.allocations - counter.frees;
  stat.peak = counter.most;
  return stat;
}

}  // namespace

MemoryCounters& memory_counters(c10::DeviceIndex index) {
  static auto* counters = new std::array<MemoryCounters, kMostDevices>();
  return (*counters)[index];
}

c10::CachingDeviceAllocator::DeviceStats memory_stats(
    const MemoryCounters& counters, const BlockCache::Usage& usage) {
  constexpr auto kAggregate = static_cast<std::size_t>(StatType::AGGREGATE);
  c10::CachingDeviceAllocator::DeviceStats stats;
  stats.allocation[kAggregate] = counts(usage.requested);
  stats.segment[kAggregate] = counts(usage.reserved);
  stats.active[kAggregate] = counts(usage.requested);
  for (auto* array :
       {&stats.allocated_bytes, &stats.active_bytes, &stats.requested_bytes}) {
    (*array)[kAggregate] = bytes(usage.requested);
  }
  stats.reserved_bytes[kAggregate] = bytes(usage.reserved);
  stats.num_alloc_retries = counters.retries;
  stats.num_ooms = counters.out_of_memory;
  stats.num_device_alloc = stats.segment[kAggregate].allocated;
  stats.num_device_free = stats.segment[kAggregate].freed;
  stats.inactive_split[kAggregate].current = usage.unused.blocks;
  stats.inactive_split[kAggregate].peak = usage.unused.most_blocks;
  stats.inactive_split_bytes[kAggregate].current = usage.unused.bytes;
  stats.inactive_split_bytes[kAggregate].peak = usage.unused.most_bytes;
  return stats;
}

}  // namespace torch_infini
