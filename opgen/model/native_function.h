// One entry of native_functions.yaml, or one that is derived from such an entry
// (tag "generated").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"

namespace opgen::model {

// Where kernels live unless the dispatch table says otherwise.
inline constexpr std::string_view kDefaultKernelNamespace = "at::native";

enum class DeviceCheckType : std::uint8_t { kNoCheck, kExactSame };

enum class ViewSchemaKind : std::uint8_t {
  kAliasing,
  kAliasingInplace,
  kNonAliasing,
};

enum class ScalarType : std::uint8_t {
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kHalf,
  kFloat,
  kDouble,
  kComplexHalf,
  kComplexFloat,
  kComplexDouble,
  kBool,
  kBFloat16,
  kFloat8E5m2,
  kFloat8E5m2fnuz,
  kFloat8E4m3fn,
  kFloat8E4m3fnuz,
  kFloat8E8m0fnu,
};

inline constexpr std::size_t kScalarTypeCount = 18;

std::string_view name_of(ScalarType type);
std::optional<ScalarType> parse_scalar_type(std::string_view name);

enum class UfuncKey : std::uint8_t {
  kCUDAFunctor,
  kCUDAFunctorOnOther,
  kCUDAFunctorOnSelf,
  kCPUScalar,
  kCPUVector,
  kScalarOnly,
  kGeneric,
};

inline constexpr std::size_t kUfuncKeyCount = 7;

std::string_view name_of(UfuncKey key);
std::optional<UfuncKey> parse_ufunc_key(std::string_view name);

struct UfuncInnerLoop {
  std::string name;
  std::vector<ScalarType> supported_dtypes;  // in order, each once
  UfuncKey ufunc_key;
};

// Kernel arguments that the meta function of a structured kernel computes.
struct Precompute {
  // Kernel argument and what replaces it, in the order of the file.
  std::vector<std::pair<std::string, std::vector<Argument>>> replace;
  std::vector<Argument> add;

  // Null if the argument is not replaced.
  const std::vector<Argument>* find(std::string_view name) const;
};

struct Location {
  std::string file;
  int line = 0;  // from 1
};

struct NativeFunction {
  // Position among all functions of a run; indexes BackendIndex.
  std::uint32_t id = 0;
  std::string namespace_;  // "aten"
  FunctionSchema func;
  bool use_const_ref_for_mutable_tensors = false;
  bool device_guard = true;
  DeviceCheckType device_check = DeviceCheckType::kExactSame;
  std::optional<std::string> python_module;
  std::optional<std::string> category_override;
  bool function_variant = true;
  bool method_variant = false;
  bool manual_kernel_registration = false;
  bool manual_cpp_binding = false;
  Location loc;
  std::vector<OperatorName> autogen;
  // In the order of the file.
  std::vector<std::pair<UfuncKey, UfuncInnerLoop>> ufunc_inner_loop;
  bool structured = false;
  std::optional<OperatorName> structured_delegate;
  std::optional<std::string> structured_inherits;
  std::optional<Precompute> precomputed;
  std::vector<std::string> cpp_no_default_args;
  bool is_abstract = false;
  bool has_composite_implicit_autograd_kernel = false;
  bool has_composite_implicit_autograd_nested_tensor_kernel = false;
  bool has_composite_explicit_autograd_kernel = false;
  bool has_composite_explicit_autograd_non_functional_kernel = false;
  std::vector<std::string> tags;  // sorted, each once

  bool has_tag(std::string_view tag) const;
  bool has_composite_kernel() const;
  bool is_view_op() const;
  ViewSchemaKind view_schema_kind() const;

  const std::string& root_name() const { return func.name.name.base; }

  bool part_of_structured_group() const {
    return structured || structured_delegate.has_value();
  }
};

}  // namespace opgen::model
