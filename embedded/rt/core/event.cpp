#include "embedded/rt/core/event.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace infini::rt::core {

void Event::reset(unsigned flags) noexcept {
  nanoseconds_.store(kNoTime, std::memory_order_relaxed);
  keeps_time_.store((flags & kEventWithoutTime) == 0,
                    std::memory_order_relaxed);
}

void Event::record() noexcept {
  if (!keeps_time_.load(std::memory_order_relaxed)) {
    return;
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  nanoseconds_.store(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
      std::memory_order_release);
}

Error Event::elapsed_since(const Event& start,
                           float* milliseconds) const noexcept {
  const std::int64_t from = start.nanoseconds_.load(std::memory_order_acquire);
  const std::int64_t to = nanoseconds_.load(std::memory_order_acquire);
  if (from == kNoTime || to == kNoTime) {
    return kInvalidHandle;
  }
  *milliseconds = static_cast<float>(static_cast<double>(to - from) * 1e-6);
  return kSuccess;
}

}  // namespace infini::rt::core
