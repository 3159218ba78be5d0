#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

#include "csrc/ops/host_call.h"
#include "csrc/ops/host_provider.h"
#include "csrc/ops/native.h"
#include "csrc/runtime/backend.h"

namespace torch_infini {
namespace {

using c10::DispatchKey;
using c10::OperatorHandle;

constexpr std::array<DispatchKey, 3> kComposite = {
    DispatchKey::CompositeExplicitAutograd,
    DispatchKey::CompositeExplicitAutogradNonFunctional,
    DispatchKey::CompositeImplicitAutograd};

// Composite operators that ask for the device's type and would leave infini
// with an empty stub. Run whole on aliases, they take the CPU's way.
constexpr std::array<std::string_view, 8> kWholeOnHost = {
    "_convolution",
    "conj_physical_",
    "convolution",
    "convolution_backward",
    "kaiser_window",
    "kaiser_window.periodic",
    "kaiser_window.beta",
    "mode.values"};

torch::CppFunction host_function() {
  return torch::CppFunction::makeFromBoxedFunction<&host_kernel>();
}

bool is_composite(const OperatorHandle& op) {
  return std::any_of(
      kComposite.begin(), kComposite.end(), [&](DispatchKey key) {
        return op.hasKernelForDispatchKey(key);
      });
}

template <class Visit>
void for_each_aten_operator(const Visit& visit) {
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    if (name.name.starts_with("aten::")) {
      const auto op = dispatcher.findSchema(name);
      if (op.has_value()) {
        visit(*op);
      }
    }
  }
}

std::unordered_set<std::string>& explicit_host_operators() {
  static auto* names = new std::unordered_set<std::string>();
  return *names;
}

// Note [Operators that a backend fallback never sees]
// The dispatcher prefers an operator's composite kernel to a backend's
// fallback, also where the CPU has a kernel of its own and would not use the
// composite one. Such operators get the host kernel by name, so that infini
// computes what the CPU computes. Which they are is asked of the dispatcher.
void register_composites_with_cpu_kernel(torch::Library& library) {
  std::vector<std::string> names;
  for_each_aten_operator([&](const OperatorHandle& op) {
    if (op.hasKernelForDispatchKey(DispatchKey::CPU) &&
        !op.hasKernelForDispatchKey(DispatchKey::PrivateUse1) &&
        is_composite(op)) {
      names.push_back(c10::toString(op.operator_name()));
    }
  });
  for (const std::string& name : names) {
    library.impl(name.c_str(), host_function());
    explicit_host_operators().insert(name);
  }
}

std::string_view provider_of(const OperatorHandle& op,
                             const std::string& name) {
  if (name == "aten::add.Tensor") {
    return "infiniops";
  }
  if (op.hasKernelForDispatchKey(DispatchKey::PrivateUse1)) {
    return explicit_host_operators().count(name) != 0 ? "host" : "native";
  }
  return is_composite(op) ? "composite" : "host";
}

}  // namespace

torch::Library& new_library(const char* name, DispatchKey key) {
  return *new torch::Library(
      torch::Library::IMPL, name, key, __FILE__, __LINE__);
}

void register_operators() {
  auto& aten = new_library("aten", DispatchKey::PrivateUse1);
  register_factories(aten);
  register_views(aten);
  register_copies(aten);
  register_storage_kernels(aten);
  register_recurrent_cells(aten);
  register_recurrent_layers(aten);
  register_dropout(aten);
  register_composites(aten);
  register_attention(aten);
  register_add(aten);
  for (const std::string_view name : kWholeOnHost) {
    aten.impl(std::string(name).c_str(), host_function());
    explicit_host_operators().insert("aten::" + std::string(name));
  }
  new_library("_", DispatchKey::PrivateUse1).fallback(host_function());
}

void register_at_start() {
  if (backend().can(infini_extension::kHostAccess)) {
    for (std::string& name : register_host_operators()) {
      explicit_host_operators().insert(std::move(name));
    }
  }
  register_composites_with_cpu_kernel(
      new_library("aten", DispatchKey::PrivateUse1));
  register_autocast();
  for (const auto key : {DispatchKey::SparsePrivateUse1,
                         DispatchKey::SparseCsrPrivateUse1,
                         DispatchKey::QuantizedPrivateUse1,
                         DispatchKey::NestedTensorPrivateUse1}) {
    new_library("_", key).fallback(torch::CppFunction::makeFromBoxedFunction<
                                   &unsupported_layout_kernel>());
  }
}

std::vector<std::pair<std::string, std::string>> operator_providers() {
  std::vector<std::pair<std::string, std::string>> providers;
  for_each_aten_operator([&](const OperatorHandle& op) {
    if (op.hasComputedKernelForDispatchKey(DispatchKey::CPU) ||
        op.hasKernelForDispatchKey(DispatchKey::PrivateUse1)) {
      std::string name = c10::toString(op.operator_name());
      std::string provider(provider_of(op, name));
      providers.emplace_back(std::move(name), std::move(provider));
    }
  });
  std::sort(providers.begin(), providers.end());
  return providers;
}

}  // namespace torch_infini
