// Parameters of C++ functions, compared by their types.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/backend/kernel_check_tokens.h"

namespace opgen::backend {

// The type of each parameter, in one spelling (see normalize_type). `tokens`
// are those between the parentheses of a function.
std::vector<std::string> parameter_types(std::span<const CppToken> tokens);

}  // namespace opgen::backend
