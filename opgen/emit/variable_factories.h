// variable_factories.h: torch::empty(...) and the other functions that make
// tensors which may require gradients.
//
// The functions for one operator throw api::ApiError for types that C++ has
// nothing for.
#pragma once

#include <string>
#include <string_view>

#include "opgen/emit/autograd_files.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

bool is_factory_function(const model::NativeFunction& f);

// A C++ type with "at::" before a name that has no namespace.
std::string fully_qualified_type(std::string_view argument_type);

// The wrappers of a factory.
std::string variable_factory(const model::NativeFunction& f);

void gen_variable_factories(const AutogradRun& run);

}  // namespace opgen::emit
