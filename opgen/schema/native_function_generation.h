// torchgen.native_function_generation: functional and out= variants that
// native_functions.yaml leaves out.
#pragma once

#include <memory>
#include <optional>

#include "opgen/model/native_function.h"
#include "opgen/schema/function_registry.h"
#include "opgen/schema/pre_groups.h"

namespace opgen::schema {

// What a schema of the other kind would be; nothing if it has more outputs than
// there are letters for their annotations.
model::FunctionSchema self_to_out_signature(const model::FunctionSchema& func);
std::optional<model::FunctionSchema> functional_to_out_signature(
    const model::FunctionSchema& func);
std::optional<model::FunctionSchema> mutable_to_out_signature(
    const model::FunctionSchema& func);

// Generates what is missing in the groups, adds it to the registry and to the
// groups. Groups with a broken function are left out.
void add_generated_native_functions(FunctionRegistry& registry,
                                    PreGroups& groups);

}  // namespace opgen::schema
