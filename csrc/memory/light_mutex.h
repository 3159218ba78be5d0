// A lock for sections of a few dozen instructions.
//
// Taken and given back with one atomic operation each where nobody waits, which
// is a third of what std::mutex costs. Whoever finds it taken looks a few times
// more and then sleeps until it is given back. Not recursive.
#pragma once

#include <atomic>
#include <cstdint>

namespace torch_infini {

class LightMutex {
 public:
  void lock() noexcept {
    std::uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected,
                                        kTaken,
                                        std::memory_order_acquire,
                                        std::memory_order_relaxed))
        [[unlikely]] {
      wait();
    }
  }

  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kWaitedFor)
        [[unlikely]] {
      state_.notify_one();
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kTaken = 1;
  static constexpr std::uint32_t kWaitedFor = 2;

  __attribute__((noinline)) void wait() noexcept {
    constexpr int kLooks = 64;
    for (int i = 0; i < kLooks; ++i) {
      std::uint32_t expected = kFree;
      if (state_.load(std::memory_order_relaxed) == kFree &&
          state_.compare_exchange_weak(
              expected, kTaken, std::memory_order_acquire)) {
        return;
      }
    }
    while (state_.exchange(kWaitedFor, std::memory_order_acquire) != kFree) {
      state_.wait(kWaitedFor, std::memory_order_relaxed);
    }
  }

  std::atomic<std::uint32_t> state_{kFree};
};

}  // namespace torch_infini
