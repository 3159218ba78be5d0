// torchgen.native_function_generation: kernels of the operators that are
// derived from entries of native_functions.yaml (tag "generated").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The statement that returns `names`, one for each return. Throws api::ApiError
// where their numbers differ.
std::string return_str(std::span<const model::Return> rets,
                       std::span<const std::string> names,
                       api::Locals locals);

// What stands for the returns of `func` that alias no argument, when `out_var`
// holds the result of a call.
std::vector<std::string> gather_nonaliased_inner_rets(
    const model::FunctionSchema& func, const std::string& out_var);

// "std::get<1>(out_var)", or out_var itself if it is all there is.
std::string nth_return(std::size_t n,
                       std::size_t returns,
                       const std::string& out_var);

// The functional variant by means of the in-place or mutable one; none if the
// yaml has a functional variant. Throws EmitError if it cannot be made.
std::optional<std::string> gen_composite_functional_kernel(
    const model::NativeFunctionsGroup& g);
// The out= variant by means of the functional one; none if the yaml has it.
std::optional<std::string> gen_composite_out_kernel(
    const model::NativeFunctionsGroup& g);

}  // namespace opgen::emit
