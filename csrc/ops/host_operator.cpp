#include "csrc/ops/host_operator.h"

#include <ATen/core/enum_tag.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

namespace torch_infini {
namespace {

// Operators whose index or length tensors may lie on the CPU, as PyTorch's CUDA kernels allow.
constexpr std::array<std::string_view, 8> kMixDevices = {"aten::index",
                                                         "aten::_unsafe_index",
                                                         "aten::index_put",
                                                         "aten::index_put_",
                                                         "aten::_index_put_impl",
                                                         "aten::_index_put_impl_",
                                                         "aten::_pack_padded_sequence",
                                                         "aten::_unsafe_index_put"};

int find_generator(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type()->isSubtypeOf(*c10::OptionalType::create(c10::GeneratorType::get()))) {
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
  std::unordered_map<c10::OperatorHandle, std::unique_ptr<HostOperator>> operators;
};

Registry& registry() {
  static auto* instance = new Registry();
  return *instance;
}

}  // namespace

HostOperator::HostOperator(const c10::OperatorHandle& op)
    : name(c10::toString(op.operator_name())),
      has_cpu_kernel(op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)),
      is_mutable(op.schema().is_mutable()),
      is_view(returns_view(op.schema())),
      generator_argument(find_generator(op.schema())),
      draws_unasked(generator_argument < 0 && op.hasTag(at::Tag::nondeterministic_seeded)),
      mixes_devices(std::find(kMixDevices.begin(), kMixDevices.end(), op.schema().name()) !=
                    kMixDevices.end()) {}

HostOperator& host_operator(const c10::OperatorHandle& op) {
  Registry& all = registry();
  {
    const std::shared_lock<std::shared_mutex> lock(all.mutex);
    const auto found = all.operators.find(op);
    if (found != all.operators.end()) {
      return *found->second;
    }
  }
  auto made = std::make_unique<HostOperator>(op);
  const std::unique_lock<std::shared_mutex> lock(all.mutex);
  return *all.operators.try_emplace(op, std::move(made)).first->second;
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
