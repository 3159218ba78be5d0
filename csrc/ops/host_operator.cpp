#include "csrc/ops/host_operator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ATen/core/enum_tag.h>

namespace torch_infini {
namespace {

// The argument that PyTorch's CUDA kernels, too, take from the CPU.
int find_host_argument(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  const auto optional_tensors =
      c10::ListType::create(c10::OptionalType::create(c10::TensorType::get()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_index =
        arguments[i].type()->isSubtypeOf(*optional_tensors) &&
        !arguments[i].type()->isSubtypeOf(*c10::ListType::ofTensors());
    if (is_index ||
        (schema.name() == "aten::_pack_padded_sequence" && i == 1)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<bool> find_writes(const c10::FunctionSchema& schema) {
  std::vector<bool> writes;
  for (const c10::Argument& argument : schema.arguments()) {
    writes.push_back(argument.alias_info() != nullptr &&
                     argument.alias_info()->isWrite());
  }
  return writes;
}

int find_generator(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type()->isSubtypeOf(
            *c10::OptionalType::create(c10::GeneratorType::get()))) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

bool returns_view(const c10::FunctionSchema& schema) {
  const auto is_view = [](const c10::Argument& result) {
    return result.alias_info() != nullptr && !result.alias_info()->isWrite();
  };
  return !schema.is_mutable() &&
         std::any_of(schema.returns().begin(), schema.returns().end(), is_view);
}

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<c10::OperatorHandle, std::unique_ptr<HostOperator>>
      operators;
  // Entries that calls on other threads may still use.
  std::vector<std::unique_ptr<HostOperator>> outdated;
};

Registry& registry() {
  static auto* instance = new Registry();
  return *instance;
}

// PyTorch's operators never go; others may be registered anew in the place of
// old ones.
bool is_current(const HostOperator& entry, const c10::OperatorHandle& op) {
  return !entry.schema.has_value() || *entry.schema == op.schema();
}

// The entry again, after a look for a CPU kernel that has come since.
HostOperator& refreshed(HostOperator& entry, const c10::OperatorHandle& op) {
  if (C10_UNLIKELY(!entry.has_cpu_kernel)) {
    entry.has_cpu_kernel =
        op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU);
  }
  return entry;
}

}  // namespace

HostOperator::HostOperator(const c10::OperatorHandle& op)
    : name(c10::toString(op.operator_name())),
      schema(name.starts_with("aten::") ? std::nullopt
                                        : std::make_optional(op.schema())),
      has_cpu_kernel(op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)),
      is_mutable(op.schema().is_mutable()),
      is_view(returns_view(op.schema())),
      generator_argument(find_generator(op.schema())),
      draws_unasked(generator_argument < 0 &&
                    op.hasTag(at::Tag::nondeterministic_seeded)),
      host_argument(find_host_argument(op.schema())),
      writes(find_writes(op.schema())) {}

HostOperator& host_operator(const c10::OperatorHandle& op) {
  Registry& all = registry();
  {
    const std::shared_lock<std::shared_mutex> lock(all.mutex);
    const auto found = all.operators.find(op);
    if (found != all.operators.end() && is_current(*found->second, op)) {
      return refreshed(*found->second, op);
    }
  }
  auto made = std::make_unique<HostOperator>(op);
  const std::unique_lock<std::shared_mutex> lock(all.mutex);
  std::unique_ptr<HostOperator>& entry = all.operators[op];
  if (entry == nullptr || !is_current(*entry, op)) {
    std::swap(entry, made);
    if (made != nullptr) {
      all.outdated.push_back(std::move(made));
    }
  }
  return *entry;
}

std::vector<std::pair<std::string, std::uint64_t>> host_operator_calls() {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  Registry& all = registry();
  const std::shared_lock<std::shared_mutex> lock(all.mutex);
  for (const auto& [handle, entry] : all.operators) {
    if (entry->calls > 0) {
      calls.emplace_back(entry->name, entry->calls);
    }
  }
  return calls;
}

}  // namespace torch_infini
