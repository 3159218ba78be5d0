// Makes groups of functions, with all that torchgen demands of them.
#pragma once

#include "opgen/model/native_functions.h"
#include "opgen/schema/function_registry.h"
#include "opgen/schema/pre_groups.h"

namespace opgen::schema {

// torchgen's error_check_native_functions: what concerns several functions but
// no groups. Runs before functions are generated.
void error_check_native_functions(FunctionRegistry& registry);

// torchgen's get_grouped_native_functions: fills groups and
// grouped_native_functions of `result`, which the registry builds.
void get_grouped_native_functions(const PreGroups& pre_groups,
                                  FunctionRegistry& registry,
                                  model::NativeFunctions& result);

// torchgen's get_grouped_by_view_native_functions: fills view_groups and
// native_functions_with_view_groups.
void get_grouped_by_view_native_functions(FunctionRegistry& registry,
                                          model::NativeFunctions& result);

}  // namespace opgen::schema
