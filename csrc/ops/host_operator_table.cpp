#include "csrc/ops/host_operator_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "csrc/ops/host_call.h"
#include "csrc/ops/host_provider.h"
#include "csrc/ops/small_operators.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/thread_counts.h"

namespace torch_infini {
namespace {

// The one private member of PyTorch that is reached: an explicit instantiation
// may name it.
template <auto Member>
struct UnboxedPointer {
  friend void set_unboxed(c10::KernelFunction& kernel, void* function) {
    kernel.*Member = function;
  }
};

void set_unboxed(c10::KernelFunction& kernel, void* function);

template struct UnboxedPointer<&c10::KernelFunction::unboxed_kernel_func_>;

const std::vector<const HostEntry*>& table() {
  static const auto* entries = [] {
    auto* found = new std::vector<const HostEntry*>(host_operator_count());
    for (const auto& part : host_operators()) {
      for (const HostEntry& entry : part) {
        (*found)[entry.index] = &entry;
      }
    }
    return found;
  }();
  return *entries;
}

HostKernel kernel_of(const HostEntry& entry) {
  return backend().can(infini_extension::kInlineStreams)
             ? with_small_operators(entry.name, entry.overload, entry.kernel)
             : entry.kernel;
}

}  // namespace

HostKernel host_wrapper(std::string_view name, std::string_view overload) {
  for (const HostEntry* entry : table()) {
    if (entry->name == name && entry->overload == overload) {
      return kernel_of(*entry);
    }
  }
  TORCH_INTERNAL_ASSERT(false, "no wrapper of ", name, ".", overload);
}

c10::OperatorHandle host_wrapper_operator(std::size_t index) {
  const HostEntry& entry = *table()[index];
  return c10::Dispatcher::singleton().findSchemaOrThrow(entry.name,
                                                        entry.overload);
}

std::vector<std::pair<std::string, std::uint64_t>> host_wrapper_calls() {
  const std::vector<std::uint64_t> counts = ThreadCounts<HostWrappers>::sums();
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  for (const HostEntry* entry : table()) {
    const std::uint64_t count = counts[entry->index];
    if (count > 0) {
      calls.emplace_back(
          c10::toString(c10::OperatorName(entry->name, entry->overload)),
          count);
    }
  }
  return calls;
}

std::vector<std::string> register_host_operators() {
  std::vector<std::string> names;
  static auto* handles = new std::vector<c10::RegistrationHandleRAII>();
  auto& dispatcher = c10::Dispatcher::singleton();
  handles->reserve(host_operator_count());
  for (const HostEntry* entry : table()) {
    const auto op = dispatcher.findSchema({entry->name, entry->overload});
    if (!op.has_value() || op->hasKernelForDispatchKey(kDispatchKey)) {
      continue;
    }
    auto kernel = c10::KernelFunction::makeFromBoxedFunction<&host_kernel>();
    set_unboxed(kernel, kernel_of(*entry).function);
    TORCH_INTERNAL_ASSERT(kernel.isValidUnboxed(),
                          "this PyTorch keeps unboxed kernels elsewhere");
    handles->push_back(dispatcher.registerImpl(op->operator_name(),
                                               kDispatchKey,
                                               std::move(kernel),
                                               entry->kernel.signature,
                                               nullptr,
                                               "infini host wrapper"));
    names.push_back(c10::toString(op->operator_name()));
  }
  return names;
}

}  // namespace torch_infini
