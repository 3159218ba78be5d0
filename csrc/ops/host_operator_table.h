// The generated wrappers of csrc/ops/host_call.h and how they get into the
// dispatcher.
//
// Note [Registration by table]
// TORCH_LIBRARY_IMPL instantiates a boxed adaptor for every signature, which is
// most of what a file of registrations takes to compile. All wrappers share one
// boxed kernel instead, the host provider's, and their own address is put
// beside it where the dispatcher looks for unboxed kernels.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

#include "csrc/ops/host_call.h"
#include "csrc/runtime/thread_object.h"

namespace torch_infini {

c10::OperatorHandle host_wrapper_operator(std::size_t index);

// How often one thread called each wrapper. That thread alone counts; any may
// read.
class HostCallCounts {
 public:
  HostCallCounts() : calls_(host_operator_count()) {}

  void count(std::size_t index) {
    std::atomic<std::uint64_t>& calls = calls_[index];
    calls.store(calls.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  }

  // `sums` has host_operator_count() elements.
  void add_to(std::vector<std::uint64_t>& sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += calls_[i].load(std::memory_order_relaxed);
    }
  }

 private:
  std::vector<std::atomic<std::uint64_t>> calls_;
};

// Counts a call of the wrapper.
inline void count_host_call(std::size_t index) {
  ThreadObject<HostCallCounts>::get().count(index);
}

// Operators whose wrappers were called, and how often.
std::vector<std::pair<std::string, std::uint64_t>> host_wrapper_calls();

}  // namespace torch_infini
