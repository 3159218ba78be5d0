// Counts that every thread keeps for itself and anybody may sum.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "csrc/runtime/thread_object.h"

namespace torch_infini {

// Of::size() counters per thread. Counting costs a load and a store; sums hold
// what ended threads counted, too. `Of` tells kinds of counts apart.
template <class Of>
class ThreadCounts {
 public:
  static void count(std::size_t index) {
    std::atomic<std::uint64_t>& own =
        ThreadObject<ThreadCounts>::get().counts_[index];
    own.store(own.load(std::memory_order_relaxed) + 1,
              std::memory_order_relaxed);
  }

  static std::vector<std::uint64_t> sums() {
    std::vector<std::uint64_t> all(Of::size());
    ThreadObject<ThreadCounts>::for_each([&](const ThreadCounts& of_thread) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] += of_thread.counts_[i].load(std::memory_order_relaxed);
      }
    });
    return all;
  }

 private:
  friend class ThreadObject<ThreadCounts>;

  ThreadCounts() : counts_(Of::size()) {}

  std::vector<std::atomic<std::uint64_t>> counts_;
};

}  // namespace torch_infini
