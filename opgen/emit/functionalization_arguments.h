// How functionalization kernels take their arguments apart: unwrapped from
// FunctionalTensorWrapper, or turned into meta tensors.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

bool modifies_arguments(const model::NativeFunction& f);
// "add_out" or, with the overload, "add_out_out".
std::string wrapper_name(const model::FunctionSchema& func);
bool is_tensor_like(const model::AnyArgument& a);

// Statements that make new variables, and the arguments of a call that uses
// them: what translate() takes as its context.
struct ConvertedArguments {
  std::string statements;
  std::vector<api::Binding> context;
};

// `arguments` are those of a DispatcherSignature. Views leave out the sync.
ConvertedArguments unwrap_tensor_args(std::span<const api::Binding> arguments,
                                      bool is_view_op);
ConvertedArguments convert_to_meta_tensors(
    std::span<const api::Binding> arguments);

}  // namespace opgen::emit
