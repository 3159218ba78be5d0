// torchgen.dest.native_functions and the functions of torchgen.gen that group
// kernels by namespace.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "opgen/emit/register_dispatch_key.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/code_template.h"

namespace opgen::emit {

// Declarations of the kernels of one function or group for one backend.
std::vector<std::string> compute_native_function_declaration(
    const model::FunctionOrGroup& item,
    const model::BackendIndex& backend_index);

// torchgen.gen.get_native_function_declarations: the declarations of all
// kernels, each once, by namespace and in the order of `backend_indices`, which
// for torchgen is that in which the file names the keys.
//
// Here and below the texts are what torchgen gives as a list of lines: one text
// for each namespace, without empty lines, which filling a hole with a list of
// lines drops. All functions throw EmitError.
std::vector<std::string> get_native_function_declarations(
    std::span<const model::FunctionOrGroup> grouped_native_functions,
    std::span<const model::BackendIndex* const> backend_indices);
// The same in the order of the map.
std::vector<std::string> get_native_function_declarations(
    std::span<const model::FunctionOrGroup> grouped_native_functions,
    const std::map<model::DispatchKey, model::BackendIndex>& backend_indices);

struct RegistrationSettings {
  const model::SelectiveBuilder* selector;
  bool rocm = false;
  bool symint = true;
  bool skip_dispatcher_op_registration = false;
  bool gen_dispatch_helpers = true;
  // As RegisterDispatchKey's.
  bool named_tensors = false;
  // RegisterDispatchDefinitions.ini of the tree. Must be set for definitions.
  const text::CodeTemplate* definitions_template = nullptr;
};

// torchgen.gen.get_kernel_namespace, e.g. "at::native".
const std::string& get_kernel_namespace(
    const model::FunctionOrGroup& item,
    const model::BackendIndex& backend_index);

// torchgen.gen.get_native_function_definitions.
std::vector<std::string> get_native_function_definitions(
    std::span<const model::FunctionOrGroup> grouped_native_functions,
    const model::BackendIndex& backend_index,
    const RegistrationSettings& settings);

// torchgen.gen.get_namespaced_declaration.
std::vector<std::string> get_namespaced_declaration(
    std::span<const model::FunctionOrGroup> grouped_native_functions,
    const model::BackendIndex& backend_index,
    const RegistrationSettings& settings);

}  // namespace opgen::emit
