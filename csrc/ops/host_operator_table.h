// The generated wrappers of csrc/ops/host_call.h and how they get into the
// dispatcher.
//
// Note [Registration by table]
// TORCH_LIBRARY_IMPL instantiates a boxed adaptor for every signature, which is
// most of what a file of registrations takes to compile. All wrappers share one
// boxed kernel instead, the host provider's, and their own address is put
// beside it where the dispatcher looks for unboxed kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

#include "csrc/ops/host_call.h"
#include "csrc/runtime/thread_counts.h"

namespace torch_infini {

c10::OperatorHandle host_wrapper_operator(std::size_t index);

struct HostWrappers {
  static std::size_t size() { return host_operator_count(); }
};

// Counts a call of the wrapper.
inline void count_host_call(std::size_t index) {
  ThreadCounts<HostWrappers>::count(index);
}

// What register_host_operators() would register for an operator, for a native
// kernel that leaves some of its calls to it. Only where the host can address
// device memory.
HostKernel host_wrapper(std::string_view name, std::string_view overload);

// Operators whose wrappers were called, and how often.
std::vector<std::pair<std::string, std::uint64_t>> host_wrapper_calls();

}  // namespace torch_infini
