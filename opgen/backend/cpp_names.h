// Which texts generated C++ can use as names.
#pragma once

#include <string_view>

namespace opgen::backend {

// Whether these are ASCII letters, digits and "_", the first one no digit, and
// no keyword of C++.
bool is_identifier(std::string_view text);

// Identifiers with "::" between them.
bool is_qualified_identifier(std::string_view text);

// As is_identifier for a part of a name: may begin with a digit, be a keyword
// or be empty.
bool is_part_of_identifier(std::string_view text);

}  // namespace opgen::backend
