// Classes of ASCII characters, whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace opgen::text {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}

constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = to_lower(c);
  }
  return lower;
}

constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Of names in C++ and Python.
constexpr bool is_name_start(char c) {
  return is_letter(c) || c == '_';
}

constexpr bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}

// As is_name_char, and every byte beyond ASCII.
constexpr bool is_word(char c) {
  return is_name_char(c) || static_cast<unsigned char>(c) >= 0x80;
}

// What \s of Python's regular expressions matches.
constexpr bool is_python_space(char c) {
  return is_space(c) || (c >= '\x1c' && c <= '\x1f');
}

constexpr bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) {
    all |= static_cast<unsigned char>(c);
  }
  return all < 0x80;
}

}  // namespace opgen::text
