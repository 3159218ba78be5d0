// Which lines of two texts differ.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace opgen::backend {

// Lines without their ends; a text that ends with a line break has no empty
// line after it.
std::vector<std::string_view> split_lines(std::string_view text);

// Lines [a_begin, a_end) of one text stand where [b_begin, b_end) of the other
// do. Counted from 0; one of the two may be empty.
struct LineHunk {
  std::size_t a_begin = 0;
  std::size_t a_end = 0;
  std::size_t b_begin = 0;
  std::size_t b_end = 0;

  bool operator==(const LineHunk&) const = default;
};

// In order, disjoint, never both sides empty; the lines between them are equal.
//
// Where lines were only taken away, and the same lines can be said to have gone
// from several neighbouring places, the hunk lies where a paragraph or a
// definition begins. Nearly linear in the number of lines.
std::vector<LineHunk> diff_lines(const std::vector<std::string_view>& a,
                                 const std::vector<std::string_view>& b);

}  // namespace opgen::backend
