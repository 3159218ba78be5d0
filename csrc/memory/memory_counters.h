// Counts of a device's memory in use.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>

namespace torch_infini {

// A quantity in bytes: how much now, the highest since the last reset, and how
// much came and went. Any thread may change it.
struct Counter {
  std::atomic<std::int64_t> current{0};
  std::atomic<std::int64_t> peak{0};
  std::atomic<std::int64_t> allocated{0};
  std::atomic<std::int64_t> allocations{0};
  std::atomic<std::int64_t> frees{0};
  std::atomic<std::int64_t> most{0};  // allocations that were there at once
  // What the totals were at the last reset; the totals themselves only grow.
  std::atomic<std::int64_t> allocated_before{0};
  std::atomic<std::int64_t> freed_before{0};
  std::atomic<std::int64_t> allocations_before{0};
  std::atomic<std::int64_t> frees_before{0};

  void reset_accumulated() noexcept;
  void reset_peak() noexcept;
  void add(std::size_t amount) noexcept;
  void subtract(std::size_t amount) noexcept;
};

inline constexpr std::int64_t kNoLimit =
    std::numeric_limits<std::int64_t>::max();

struct MemoryCounters {
  Counter allocated;                     // blocks in use, by what was asked for
  Counter reserved;                      // segments
  std::atomic<std::int64_t> retries{0};  // after a failed Malloc
  std::atomic<std::int64_t> out_of_memory{0};
  // Bytes that may be reserved.
  std::atomic<std::int64_t> limit{kNoLimit};

  // All but what free blocks amount to.
  c10::CachingDeviceAllocator::DeviceStats stats() const;
  void reset_accumulated() noexcept;
  void reset_peak() noexcept;
};

// Lives until the process ends.
MemoryCounters& memory_counters(c10::DeviceIndex index);

}  // namespace torch_infini
