#include "opgen/emit/cpp_string.h"

#include <string>
#include <string_view>

namespace opgen::emit {

namespace {

// The letter after the backslash; 0 where the character needs none.
char escape_of(char c) {
  switch (c) {
    case '\\':
    case '"':
      return c;
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\v':
      return 'v';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

}  // namespace

std::string cpp_string(std::string_view s) {
  std::string literal;
  literal.reserve(s.size() + 2);
  literal += '"';
  for (const char c : s) {
    const char escape = escape_of(c);
    if (escape != 0) {
      literal += '\\';
      literal += escape;
    } else {
      literal += c;
    }
  }
  literal += '"';
  return literal;
}

}  // namespace opgen::emit
