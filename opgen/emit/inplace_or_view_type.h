// ADInplaceOrViewType_*.cpp: wrappers that count the versions of tensors which
// are written to and make tensors views of those they alias.
//
// The functions for one operator throw api::ApiError for views that torchgen
// cannot express either.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "opgen/emit/autograd_files.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// The argument that the results of `f` are views of, by torchgen's list of such
// operators; empty if `f` is not in it.
std::string_view get_view_info(const model::NativeFunction& f);

// Whether it modifies arguments that it may return: in-place or out=.
bool is_inplace_or_out(const model::NativeFunction& f);

// Whether `f` has a wrapper in this file, if the derivatives are given or the
// operator is abstract.
bool has_inplace_or_view_wrapper(const model::NativeFunction& f);

// The wrapper of a function that has one. `info` is null where there are no
// derivatives.
std::string inplace_or_view_method_definition(const model::NativeFunction& f,
                                              const DerivativeInfos* info);

void gen_inplace_or_view_type(const AutogradRun& run);

}  // namespace opgen::emit
