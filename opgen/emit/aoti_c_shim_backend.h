// Which kernels the functions of the AOTInductor C shim call.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "opgen/model/native_functions.h"

namespace opgen::emit {

// "aten.add.Tensor"; "default" stands for no overload.
std::string get_fallback_op_name(const model::NativeFunction& f);

// The groups of structured kernels by the name of the function that others
// delegate to.
using StructuredGroups =
    std::unordered_map<std::string, const model::NativeFunctionsGroup*>;
StructuredGroups structured_groups(const model::NativeFunctions& program);

// The functions that one shim calls: those of a dispatch key, or those that
// dispatch, for the shim `aten`.
class ShimBackend {
 public:
  // `program` and `groups` outlive this object.
  ShimBackend(const model::NativeFunctions& program,
              const StructuredGroups& groups,
              std::optional<model::DispatchKey> dispatch_key,
              bool extend_aoti_c_shim);

  // The function in at:: to call; none if the operator has no kernel for the
  // key.
  std::optional<std::string> gen_static_dispatch_backend_call(
      const model::NativeFunction& f) const;
  // The include that declares it.
  std::optional<std::string> get_header_for_aoti(
      const model::NativeFunction& f) const;

 private:
  bool has_kernel(model::DispatchKey key, const model::NativeFunction& f) const;
  // The key whose kernel serves `f`.
  std::optional<model::DispatchKey> get_backend_index_for_aoti(
      const model::NativeFunction& f) const;

  const model::NativeFunctions& program_;
  const StructuredGroups& groups_;
  std::optional<model::DispatchKey> dispatch_key_;
  bool extend_aoti_c_shim_;
};

// "cpu"; "aten" for no key.
std::string device_name(std::optional<model::DispatchKey> dispatch_key);

}  // namespace opgen::emit
