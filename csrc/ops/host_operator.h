// What the host provider knows of an operator, worked out once from its schema.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace torch_infini {

struct HostOperator {
  explicit HostOperator(const c10::OperatorHandle& op);

  // "aten::add.out"
  std::string name;
  // PyTorch has a kernel that runs on the CPU.
  bool has_cpu_kernel;
  // May write to, resize or re-seat an argument.
  bool is_mutable;
  // Returns a view: reads no element, so it works on memory that the host cannot address.
  bool is_view;
  // Position of a `Generator?` argument, or -1.
  int generator_argument;
  // Draws from the default generator without taking one.
  bool draws_unasked;
  // CPU tensors that are not scalars may stand beside infini tensors.
  bool mixes_devices;

  std::atomic<std::uint64_t> calls{0};
};

// The entry of an operator; made on first use, lives until the process ends. Any thread.
HostOperator& host_operator(const c10::OperatorHandle& op);

// Operators that the host provider has served so far, and how often.
std::vector<std::pair<std::string, std::uint64_t>> host_operator_calls();

}  // namespace torch_infini
