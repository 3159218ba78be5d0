#include "opgen/text/utf8.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace opgen::text {

namespace {

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

std::size_t sequence_size(unsigned char first) {
  if (first < 0x80U) {
    return 1;
  }
  if (first >= 0xC2U && first <= 0xDFU) {
    return 2;
  }
  if (first >= 0xE0U && first <= 0xEFU) {
    return 3;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    return 4;
  }
  return 0;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t pos) {
  const auto first = static_cast<unsigned char>(text[pos]);
  const std::size_t size = sequence_size(first);
  if (size == 1) {
    return {first, 1, true};
  }
  const CodePoint invalid{first, 1, false};
  if (size == 0 || text.size() - pos < size) {
    return invalid;
  }
  char32_t value = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[pos + i]);
    if (!is_continuation(byte)) {
      return invalid;
    }
    value = (value << 6U) | (byte & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest.at(size) || value > 0x10FFFF || surrogate) {
    return invalid;
  }
  return {value, size, true};
}

void append_utf8(std::string& out, char32_t value) {
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80U | ((value >> shift) & 0x3FU)));
  };
  if (value < 0x80) {
    out.push_back(static_cast<char>(value));
  } else if (value < 0x800) {
    out.push_back(static_cast<char>(0xC0U | (value >> 6U)));
    tail(0);
  } else if (value < 0x10000) {
    out.push_back(static_cast<char>(0xE0U | (value >> 12U)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0U | (value >> 18U)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) {
    pos += decode_utf8(text, pos).size;
  }
  return count;
}

}  // namespace opgen::text
