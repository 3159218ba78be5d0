#include "csrc/memory/memory_counters.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

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

void raise_to(std::atomic<std::int64_t>& highest, std::int64_t now) noexcept {
  std::int64_t known = highest.load(std::memory_order_relaxed);
  while (known < now && !highest.compare_exchange_weak(
                            known, now, std::memory_order_relaxed)) {
  }
}

}  // namespace

void Counter::add(std::size_t amount) noexcept {
  const auto bytes_added = static_cast<std::int64_t>(amount);
  const std::int64_t now =
      current.fetch_add(bytes_added, std::memory_order_relaxed) + bytes_added;
  raise_to(peak, now);
  allocated.fetch_add(bytes_added, std::memory_order_relaxed);
  const std::int64_t made =
      allocations.fetch_add(1, std::memory_order_relaxed) + 1;
  raise_to(most, made - frees.load(std::memory_order_relaxed));
}

void Counter::subtract(std::size_t amount) noexcept {
  const auto bytes_removed = static_cast<std::int64_t>(amount);
  current.fetch_sub(bytes_removed, std::memory_order_relaxed);
  frees.fetch_add(1, std::memory_order_relaxed);
}

c10::CachingDeviceAllocator::DeviceStats MemoryCounters::stats() const {
  constexpr auto kAggregate = static_cast<std::size_t>(StatType::AGGREGATE);
  c10::CachingDeviceAllocator::DeviceStats stats;
  stats.allocation[kAggregate] = counts(allocated);
  stats.segment[kAggregate] = counts(reserved);
  stats.active[kAggregate] = counts(allocated);
  for (auto* array :
       {&stats.allocated_bytes, &stats.active_bytes, &stats.requested_bytes}) {
    (*array)[kAggregate] = bytes(allocated);
  }
  stats.reserved_bytes[kAggregate] = bytes(reserved);
  stats.num_alloc_retries = retries;
  stats.num_ooms = out_of_memory;
  stats.num_device_alloc = stats.segment[kAggregate].allocated;
  stats.num_device_free = stats.segment[kAggregate].freed;
  return stats;
}

void Counter::reset_peak() noexcept {
  peak = current.load();
  most = allocations - frees;
}

void Counter::reset_accumulated() noexcept {
  allocated_before = allocated.load();
  freed_before = allocated - current;
  allocations_before = allocations.load();
  frees_before = frees.load();
}

void MemoryCounters::reset_accumulated() noexcept {
  allocated.reset_accumulated();
  reserved.reset_accumulated();
  retries = 0;
  out_of_memory = 0;
}

void MemoryCounters::reset_peak() noexcept {
  allocated.reset_peak();
  reserved.reset_peak();
}

MemoryCounters& memory_counters(c10::DeviceIndex index) {
  static auto* counters = new std::array<MemoryCounters, kMostDevices>();
  return (*counters)[index];
}

}  // namespace torch_infini
