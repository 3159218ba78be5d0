// Whether the arguments of a call carry symbolic sizes: the flag that the
// constructors of ViewMeta classes take.
#pragma once

#include <span>
#include <string>

#include "opgen/api/types/binding.h"

namespace opgen::emit {

// Throws api::ApiError for a type that is neither SymInt nor made of it.
std::string emit_expr_has_symbolic_values(const std::string& expr,
                                          const api::CType* type);
// Statements that declare and set has_symbolic_inputs.
std::string emit_has_symbolic_inputs(std::span<const api::Binding> arguments);

}  // namespace opgen::emit
