// The parts of a text between separators, as Python's str.split gives them.
#pragma once

#include <string_view>
#include <vector>

namespace opgen::schema {

// At least one part; parts may be empty.
std::vector<std::string_view> split_list(std::string_view text,
                                         std::string_view separator);

// Without white space at both ends.
std::string_view strip(std::string_view text);

}  // namespace opgen::schema
