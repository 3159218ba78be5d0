// The field `dispatch`: which kernels an operator has.
#pragma once

#include <cstddef>

#include "opgen/schema/native_function_entry.h"

namespace opgen::schema {

// Adds or replaces.
void set_kernel(Kernels& kernels,
                model::DispatchKey key,
                model::BackendMetadata metadata);
const model::BackendMetadata* find_kernel(const Kernels& kernels,
                                          model::DispatchKey key);

// The name of the operator's function in C++ (torchgen.api.cpp.name).
std::string kernel_base_name(const model::FunctionSchema& schema);

// Reads the table; `node` is the field's value. `f` needs its schema and what
// concerns structured kernels.
Kernels parse_dispatch_table(const text::YamlNode& node,
                             const model::NativeFunction& f,
                             const EntryContext& context,
                             text::Diagnostics& diagnostics);

// The kernel of an operator without table.
Kernels implicit_dispatch_table(const model::NativeFunction& f,
                                const FunctionSite& site,
                                text::Diagnostics& diagnostics);

}  // namespace opgen::schema
