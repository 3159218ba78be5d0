// torchgen.api.dispatcher: the calling convention of the dispatcher.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"

namespace opgen::api::dispatcher {

struct ArgumentOptions {
  bool remove_non_owning_ref_types = false;
  bool symint = true;
};

std::string name(const model::FunctionSchema& func);
NamedCType argument_type(const model::Argument& a,
                         std::string binds,
                         ArgumentOptions options,
                         Locals locals);
const CType* returns_type(std::span<const model::Return> rs, Locals locals);
// All arguments in schema order.
std::span<const model::Argument> jit_arguments(
    const model::FunctionSchema& func);
Binding argument(const model::Argument& a,
                 ArgumentOptions options,
                 Locals locals);
std::vector<Binding> arguments(const model::FunctionSchema& func,
                               bool symint,
                               Locals locals);

}  // namespace opgen::api::dispatcher
