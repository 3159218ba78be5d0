// torchgen.dest.RegisterDispatchKey: the wrappers that a dispatch key registers
// for its kernels, and the functions that call them without dispatch
// (`at::cpu::add`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opgen/emit/target.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

class RegisterDispatchKey {
 public:
  const model::BackendIndex* backend_index;
  Target target;
  const model::SelectiveBuilder* selector;
  bool rocm = false;
  bool symint = true;
  // The class whose methods are the kernels, for external backends.
  std::optional<std::string> class_method_name;
  bool skip_dispatcher_op_registration = false;
  // Whether meta functions pass names of dimensions on to their outputs, as up
  // to PyTorch 2.12: true exactly if the tree's template
  // RegisterDispatchKey.cpp includes ATen/NamedTensorUtils.h.
  bool named_tensors = false;

  // False if generate() appends nothing, whatever the target and the selector
  // are. Cheap.
  bool may_generate(const model::FunctionOrGroup& item) const;
  // Appends what the target asks for to `out`: nothing, one or several texts.
  // Throws EmitError for an operator that the key cannot be generated for.
  void generate(const model::FunctionOrGroup& item,
                std::vector<std::string>& out) const;
};

// torchgen.dest.gen_registration_headers / gen_registration_helpers.
std::vector<std::string> gen_registration_headers(
    const model::BackendIndex& backend_index,
    bool per_operator_headers,
    bool rocm);
std::vector<std::string> gen_registration_helpers(
    const model::BackendIndex& backend_index);

}  // namespace opgen::emit
