// The description of a backend outside of PyTorch's tree: which operators it
// has kernels for, and how they are called.
//
// All keys of torchgen.gen_backend_stubs mean what they mean there. Beyond
// them:
//
//   device_check: BOOL
//     Whether wrappers check that all tensors are on one device; as
//     device_guard if absent.
//   default_arguments: BOOL
//     Declare kernels with the schema's defaults.
//   per_operator_headers: BOOL
//     Include only those headers of operators that registrations need, in place
//     of ATen/Functions.h and ATen/NativeFunctions.h.
//   structured: LIST
//     Operators whose group has a structured kernel: the meta function of
//     PyTorch, an impl function of the backend, wrappers for all variants.
//   empty, empty_strided: FUNCTION
//     What makes the outputs of structured kernels (at::empty and
//     at::empty_strided); takes sizes, perhaps strides, and TensorOptions.
//   overlay: FILE or LIST
//     Operators of the backend's own, in the format of native_functions.yaml;
//     paths from this file's folder.
//
// An entry of `supported`, `autograd` or `structured` may be a mapping:
//
//   func: NAME          the operator
//   structured: BOOL    as if listed under `structured`
//   symint: BOOL        as if listed under `symint`
//   device_guard: BOOL  for this operator, whatever native_functions.yaml
//   device_check: BOOL  and the keys above say
//   kernel: NAME        of the kernel, in place of the operator's
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "opgen/model/native_functions.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::backend {

// A kernel that the backend has.
struct BackendKernel {
  const model::NativeFunction* function = nullptr;
  text::SourceRange where;  // the operator's name in the file
  std::string kernel;       // the function's name
  std::optional<bool> device_guard;
  std::optional<bool> device_check;
};

// A structured kernel, which serves all variants of an operator.
struct StructuredKernel {
  const model::NativeFunctionsGroup* group = nullptr;
  text::SourceRange where;
  std::string kernel;  // the class is called structured_<kernel>
  std::optional<bool> device_guard;
  std::optional<bool> device_check;
};

struct BackendYaml {
  // Absent if the file lists no kernels; then nothing is generated.
  std::optional<model::DispatchKey> backend_key;
  // Absent if nothing is listed under `autograd`.
  std::optional<model::DispatchKey> autograd_key;
  std::string class_name;     // never empty once backend_key is known
  std::string cpp_namespace;  // "torch_xla" or "my::backend"
  bool use_out_as_primary = false;
  bool device_guard = false;
  std::optional<bool> device_check;
  bool default_arguments = false;
  bool per_operator_headers = false;
  std::string extra_headers;  // lines of C++
  std::string empty = "at::empty";
  std::string empty_strided = "at::empty_strided";
  std::vector<BackendKernel> supported;  // with those under `full_codegen`
  std::vector<BackendKernel> autograd;
  std::vector<StructuredKernel> structured;
};

// Functions by the names that a backend file calls them: "add.Tensor",
// "my::op.out". Points into the programs.
class OperatorNames {
 public:
  // `complete`: there are no operators that could not be read.
  OperatorNames(std::span<const model::NativeFunctions* const> programs,
                bool complete);

  // Null if there is none.
  const model::NativeFunction* find(std::string_view name) const;
  // Null for a function on its own.
  const model::NativeFunctionsGroup* group_of(
      const model::NativeFunction& f) const;
  // A name that may have been meant, or the empty string.
  std::string suggest(std::string_view name) const;

  bool complete() const { return complete_; }

 private:
  bool complete_;
  std::unordered_map<std::string, const model::NativeFunction*> by_name_;
  std::unordered_map<const model::NativeFunction*,
                     const model::NativeFunctionsGroup*>
      groups_;
};

// "add.Tensor" or, outside of the namespace aten, "my::op.out".
std::string operator_name(const model::NativeFunction& f);

// Paths under `overlay`, as they stand there. Reports nothing:
// parse_backend_yaml does.
std::vector<std::string> overlay_paths(const text::YamlNode& root);

// torchgen's parse_backend_yaml. Reports all that is wrong; what it returns is
// meant for use only if it reported no error. `program` is PyTorch's, whose
// dispatch keys are taken; `has_overlay` says that there are kernels besides
// those in the file.
BackendYaml parse_backend_yaml(const text::YamlNode& root,
                               const model::NativeFunctions& program,
                               const OperatorNames& names,
                               bool has_overlay,
                               text::Diagnostics& diagnostics);

}  // namespace opgen::backend
