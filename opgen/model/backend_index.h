// What one dispatch key knows about each operator: the name of its kernel and
// how it is written.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::model {

struct BackendMetadata {
  std::string kernel;  // without namespace
  bool structured = false;
  std::string cpp_namespace;  // of the kernel, e.g. "at::native"

  bool supports_symint() const {
    return kernel.find("_symint") != std::string::npos;
  }
};

class BackendIndex {
 public:
  BackendIndex() = default;
  BackendIndex(BackendIndex&&) = default;
  BackendIndex& operator=(BackendIndex&&) = default;
  BackendIndex(const BackendIndex&) = delete;
  BackendIndex& operator=(const BackendIndex&) = delete;
  ~BackendIndex() = default;

  DispatchKey dispatch_key = DispatchKey::kUndefined;
  // Whether structured kernels of the other variants are made from out= (as in
  // PyTorch's own tree) or from the functional one.
  bool use_out_as_primary = true;
  bool device_guard = false;
  // Out of PyTorch's tree: kernels are methods of a class.
  bool external = false;

  // Sets what the function's kernel is, if nothing was set before; returns
  // false otherwise.
  bool add(const NativeFunction& f, BackendMetadata metadata);
  // Gives `to` the kernel of `from`. Functions of the same name share their
  // kernels, whatever their namespaces.
  void share(const NativeFunction& from, const NativeFunction& to);

  // Null where the key has no kernel of its own.
  const BackendMetadata* get_kernel(const NativeFunction& f) const {
    return f.id < by_id_.size() ? by_id_[f.id] : nullptr;
  }

  bool has_kernel_of(std::uint32_t function_id) const {
    return function_id < by_id_.size() && by_id_[function_id] != nullptr;
  }

  const BackendMetadata* get_kernel(const NativeFunctionsGroup& g) const {
    return get_kernel(primary(g));
  }

  const BackendMetadata* get_kernel(const FunctionOrGroup& item) const;

  bool has_kernel(const NativeFunction& f) const {
    return get_kernel(f) != nullptr;
  }

  bool has_kernel(const NativeFunctionsGroup& g) const {
    return get_kernel(g) != nullptr;
  }

  const NativeFunction& primary(const NativeFunctionsGroup& g) const {
    return use_out_as_primary ? *g.out : *g.functional;
  }

  // How many operators have a kernel.
  std::size_t size() const { return entries_.size(); }

  // "CPUNativeFunctions" for an external backend, empty otherwise.
  std::string native_function_class_name() const;

 private:
  std::deque<BackendMetadata> entries_;
  std::vector<const BackendMetadata*> by_id_;
};

bool gets_generated_out_inplace_wrapper(const NativeFunction& f,
                                        const NativeFunctionsGroup& g,
                                        const BackendIndex& b);

}  // namespace opgen::model
