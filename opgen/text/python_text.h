// Python's string functions on UTF-8 text: what str and textwrap do, as far as
// the generators rely on it.
//
// White space and line breaks are those of str.isspace and str.splitlines, so
// they include U+0085, U+2028 and others. Text that is not UTF-8 is taken byte
// by byte. Views returned point into the argument.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace opgen::text {

// Bytes of the white space character at `pos`, 0 if there is none.
std::size_t space_size(std::string_view text, std::size_t pos);
// Bytes of the white space character that ends just before `end`.
std::size_t space_size_before(std::string_view text, std::size_t end);
// Bytes of the line break at `pos`; "\r\n" is one.
std::size_t line_break_size(std::string_view text, std::size_t pos);

// What a fast pass over a text can tell.
struct TextTraits {
  // ASCII without control characters other than "\n" and tabs, so that every
  // line break is a "\n".
  bool plain = true;
  // In plain text: some "\n" has white space other than "\n" before it.
  bool trailing_space = false;
};

TextTraits scan(std::string_view text);

// Calls `f` with each line of str.splitlines(), without its end.
template <class F>
void for_each_line(std::string_view text, bool plain, F f) {
  std::size_t begin = 0;
  if (plain) {
    while (begin < text.size()) {
      const void* found =
          std::memchr(text.data() + begin, '\n', text.size() - begin);
      if (found == nullptr) {
        f(text.substr(begin));
        return;
      }
      const auto end = static_cast<std::size_t>(
          static_cast<const char*>(found) - text.data());
      f(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return;
  }
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t size = line_break_size(text, pos);
    if (size == 0) {
      ++pos;
      continue;
    }
    f(text.substr(begin, pos - begin));
    pos += size;
    begin = pos;
  }
  if (begin < text.size()) {
    f(text.substr(begin));
  }
}

std::string_view lstrip(std::string_view text);
std::string_view rstrip(std::string_view text);
std::string_view strip(std::string_view text);

std::vector<std::string_view> splitlines(std::string_view text,
                                         bool keepends = false);
// str.split with a separator that is not empty.
std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separator);

// textwrap.indent: every line but those of white space alone gets the prefix.
std::string indent(std::string_view text, std::string_view prefix);
// textwrap.dedent.
std::string dedent(std::string_view text);

std::string join(std::string_view separator,
                 const std::vector<std::string>& parts);
std::string join(std::string_view separator,
                 const std::vector<std::string_view>& parts);
// str.replace; `from` is not empty.
std::string replace_all(std::string_view text,
                        std::string_view from,
                        std::string_view to);

// repr() of a str. Characters that Unicode leaves unassigned are printed as
// they are, bytes that are not UTF-8 as \udcXX (as after surrogateescape).
std::string repr_string(std::string_view text);

}  // namespace opgen::text
