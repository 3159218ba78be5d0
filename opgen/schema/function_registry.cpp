#include "opgen/schema/function_registry.h"

#include <cstdint>
#include <string>
#include <utility>

namespace opgen::schema {

using model::BackendIndex;
using model::DispatchKey;
using model::NativeFunction;
using text::DiagnosticId;

const NativeFunction& FunctionRegistry::add(
    std::unique_ptr<NativeFunction> function,
    Kernels kernels,
    FunctionSite site) {
  auto& functions = result_->functions;
  function->id = static_cast<std::uint32_t>(functions.size());
  functions.push_back(std::move(function));
  sites_->push_back(std::move(site));
  const NativeFunction& f = *functions.back();
  const NativeFunction*& named = result_->by_name[f.func.name.str()];
  namesakes_.push_back(std::exchange(named, &f));
  add_kernels(f, std::move(kernels));
  return f;
}

BackendIndex& FunctionRegistry::index(DispatchKey key) {
  const auto [place, added] = result_->backend_indices.try_emplace(key);
  if (added) {
    result_->backend_index_order.push_back(key);
    place->second.dispatch_key = key;
    place->second.device_guard =
        model::is_cuda_dispatch_key(key) || model::is_xpu_dispatch_key(key);
  }
  return place->second;
}

void FunctionRegistry::add_kernels(const NativeFunction& f, Kernels kernels) {
  for (auto& [key, metadata] : kernels) {
    BackendIndex& backend = index(key);
    for (const NativeFunction* twin = namesakes_[f.id]; twin != nullptr;
         twin = namesakes_[twin->id]) {
      if (backend.has_kernel(*twin)) {
        diagnostics_
            ->error(DiagnosticId::kDuplicateOperator,
                    site(f).name,
                    {f.func.name.str(), name_of(key)})
            .note(site(*twin).name, "the other one is here");
        return;
      }
    }
    backend.add(f, std::move(metadata));
  }
}

void FunctionRegistry::finish() {
  for (const DispatchKey key : model::all_dispatch_keys()) {
    index(key);
  }
  for (auto& [key, backend] : result_->backend_indices) {
    for (std::size_t id = 0; id < namesakes_.size(); ++id) {
      const NativeFunction* twin = namesakes_[id];
      if (twin == nullptr) {
        continue;
      }
      const NativeFunction& f = *result_->functions[id];
      if (backend.has_kernel(*twin)) {
        backend.share(*twin, f);
      }
    }
    for (std::size_t id = namesakes_.size(); id-- > 0;) {
      const NativeFunction& f = *result_->functions[id];
      const NativeFunction* twin = namesakes_[id];
      if (twin != nullptr && backend.has_kernel(f)) {
        backend.share(f, *twin);
      }
    }
  }
}

}  // namespace opgen::schema
