// Which code the preprocessor drops whatever is defined.
#pragma once

#include <string_view>
#include <vector>

#include "opgen/backend/kernel_check_tokens.h"

namespace opgen::backend {

// The tokens without branches whose conditions are always false, such as those
// of `#if 0`, `#elif false && X` and the `#else` of `#if 1`. What is left of
// the preprocessor is one kIf, any number of kElse and one kEndif for each
// group of branches of which one is taken or another.
std::vector<CppToken> without_dead_branches(
    const std::vector<CppToken>& tokens);

}  // namespace opgen::backend
