// What the host provider knows of an operator, worked out once from its schema.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

namespace torch_infini {

struct HostOperator {
  explicit HostOperator(const c10::OperatorHandle& op);

  // "aten::add.out"
  std::string name;
  // Of an operator that is not PyTorch's own, and so may be registered anew.
  std::optional<c10::FunctionSchema> schema;
  // PyTorch has a kernel that runs on the CPU.
  std::atomic<bool> has_cpu_kernel;
  // May write to, resize or re-seat an argument.
  bool is_mutable;
  // Returns a view: reads no element, so it works on memory that the host
  // cannot address.
  bool is_view;
  // Position of a `Generator?` argument, or -1.
  int generator_argument;
  // Draws from the default generator without taking one.
  bool draws_unasked;
  // Position of the argument that may hold CPU tensors beside infini tensors
  // (indices, lengths), or -1. CPU scalars may stand anywhere but where the
  // operator writes.
  int host_argument;
  // Positions of the arguments that the operator writes to.
  std::vector<bool> writes;

  std::atomic<std::uint64_t> calls{0};
};

// The entry of an operator; made on first use, lives until the process ends. An
// operator that was registered anew, or that had no CPU kernel when last seen,
// is looked at again. Any thread.
HostOperator& host_operator(const c10::OperatorHandle& op);

// Operators that the host provider has served so far, and how often.
std::vector<std::pair<std::string, std::uint64_t>> host_operator_calls();

}  // namespace torch_infini
