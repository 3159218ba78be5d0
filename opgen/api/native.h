// torchgen.api.native: the signatures of hand-written kernels,
// `at::native::...`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/type.h"

namespace opgen::api::native {

std::string name(const model::FunctionSchema& func);
const CType* argumenttype_type(const model::Type* t,
                               bool is_mutable,
                               bool symint,
                               Locals locals);
const CType* returns_type(std::span<const model::Return> rs, Locals locals);
NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         bool symint,
                         Locals locals);
std::vector<Binding> arguments(const model::FunctionSchema& func,
                               bool symint,
                               Locals locals);

}  // namespace opgen::api::native
