// torchgen.gen.cpp_string: text as a C++ string literal.
#pragma once

#include <string>
#include <string_view>

namespace opgen::emit {

// With its quotes. Carriage returns and bytes above ASCII stay as they are.
std::string cpp_string(std::string_view s);

}  // namespace opgen::emit
