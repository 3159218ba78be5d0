// Collects the functions of a run and their kernels.
#pragma once

#include <memory>

#include "opgen/model/native_functions.h"
#include "opgen/schema/function_site.h"
#include "opgen/schema/native_function_entry.h"
#include "opgen/text/diagnostics.h"

namespace opgen::schema {

// Builds a NativeFunctions in place; both must outlive this.
class FunctionRegistry {
 public:
  FunctionRegistry(model::NativeFunctions& result,
                   FunctionSites& sites,
                   text::Diagnostics& diagnostics)
      : result_(&result), sites_(&sites), diagnostics_(&diagnostics) {}

  // Numbers the function and adds its kernels. Two functions of one name, of
  // whatever namespaces, must not have kernels for the same key.
  const model::NativeFunction& add(
      std::unique_ptr<model::NativeFunction> function,
      Kernels kernels,
      FunctionSite site);

  const model::NativeFunctions& functions() const { return *result_; }

  const FunctionSite& site(const model::NativeFunction& f) const {
    return sites_->at(f.id);
  }

  FunctionSite& site(const model::NativeFunction& f) {
    return sites_->at(f.id);
  }

  text::Diagnostics& diagnostics() { return *diagnostics_; }

  // After all functions were added: functions of one name share their kernels,
  // and every key of all_dispatch_keys() gets an index.
  void finish();

 private:
  model::BackendIndex& index(model::DispatchKey key);
  void add_kernels(const model::NativeFunction& f, Kernels kernels);

  model::NativeFunctions* result_;
  FunctionSites* sites_;
  text::Diagnostics* diagnostics_;
  // By id: the previous function of the same name; null for most.
  std::vector<const model::NativeFunction*> namesakes_;
};

}  // namespace opgen::schema
