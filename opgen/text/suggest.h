// "Did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::text {

// Insertions, deletions, substitutions and swaps of neighbours, in bytes, or
// `limit` + 1 if there are more than `limit`.
std::size_t edit_distance(std::string_view a,
                          std::string_view b,
                          std::size_t limit);

// The candidate nearest to `name`, the first of several; empty if none is near:
// at most a third of the name's length, and one edit in names of one to five
// bytes. Letters that differ in case alone count as near.
std::string suggest(std::string_view name,
                    const std::vector<std::string_view>& candidates);
std::string suggest(std::string_view name,
                    const std::vector<std::string>& candidates);

}  // namespace opgen::text
