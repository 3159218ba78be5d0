// torchgen.api.meta: the meta functions of structured kernels.
#pragma once

#include <string>

#include "opgen/model/native_functions_group.h"

namespace opgen::api::meta {

// "add_Tensor": the functional operator's name.
std::string name(const model::NativeFunctionsGroup& g);

}  // namespace opgen::api::meta
