// Decoding UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opgen::text {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 1;  // bytes
  bool valid = true;     // if not, `value` is the byte and `size` 1
};

// `pos` < text.size(). Refuses overlong forms, surrogates and what lies above
// U+10FFFF.
CodePoint decode_utf8(std::string_view text, std::size_t pos);

// Appends a valid code point.
void append_utf8(std::string& out, char32_t value);

// Characters in the text; a byte that is not UTF-8 counts as one.
std::size_t count_characters(std::string_view text);

}  // namespace opgen::text
