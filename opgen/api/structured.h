// torchgen.api.structured: the meta and impl functions of structured kernels.
//
// Functions throw ApiError for groups with tensor options, which structured
// kernels cannot have.
#pragma once

#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api::structured {

const CType* argumenttype_type(const model::Type* t, bool is_mutable);
NamedCType argument_type(const model::Argument& a, std::string binds);
// Of an argument that is neither tensor options nor in them.
Binding argument(const model::Argument& a);
std::vector<Binding> impl_arguments(const model::NativeFunctionsGroup& g);
std::vector<Binding> meta_arguments(const model::NativeFunctionsGroup& g);
std::vector<Binding> out_arguments(const model::NativeFunctionsGroup& g);

}  // namespace opgen::api::structured
