// A unified diff of two texts, for messages.
#pragma once

#include <string>
#include <string_view>

namespace opgen::emit {

// Hunks with three lines of context, under "--- expected" and "+++ actual",
// which is empty where no line differs. Lines end with "\n", the last one too.
std::string unified_diff(std::string_view expected, std::string_view actual);

}  // namespace opgen::emit
