// A quantity in bytes: how much now, the highest since the last reset, and how
// much came and went.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace torch_infini {

// Nothing here is thread-safe.
struct Counter {
  std::int64_t current = 0;
  std::int64_t peak = 0;
  std::int64_t allocated = 0;
  std::int64_t allocations = 0;
  std::int64_t frees = 0;
  std::int64_t most = 0;  // allocations that were there at once
  // What the totals were at the last reset; the totals themselves only grow.
  std::int64_t allocated_before = 0;
  std::int64_t freed_before = 0;
  std::int64_t allocations_before = 0;
  std::int64_t frees_before = 0;

  void add(std::size_t amount) noexcept {
    current += static_cast<std::int64_t>(amount);
    allocated += static_cast<std::int64_t>(amount);
    ++allocations;
    peak = std::max(peak, current);
    most = std::max(most, allocations - frees);
  }

  void subtract(std::size_t amount) noexcept {
    current -= static_cast<std::int64_t>(amount);
    ++frees;
  }

  void reset_peak() noexcept {
    peak = current;
    most = allocations - frees;
  }

  void reset_accumulated() noexcept {
    allocated_before = allocated;
    freed_before = allocated - current;
    allocations_before = allocations;
    frees_before = frees;
  }
};

}  // namespace torch_infini
