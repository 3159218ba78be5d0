#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "opgen/emit/declarations_yaml.h"
#include "opgen/text/characters.h"
#include "opgen/text/python_text.h"

namespace opgen::emit {

namespace {

// Python refuses to read longer ones.
constexpr std::size_t kMaxIntDigits = 4300;

bool take_sign(std::string_view& s) {
  if (s.starts_with('-') || s.starts_with('+')) {
    const bool negative = s.front() == '-';
    s.remove_prefix(1);
    return negative;
  }
  return false;
}

// Moves the digits at the front of `s` to `digits`. Single underscores may
// stand between them.
void take_digits(std::string_view& s, std::string& digits) {
  std::size_t at = 0;
  while (at < s.size()) {
    if (text::is_digit(s[at])) {
      digits += s[at];
      ++at;
    } else if (s[at] == '_' && at > 0 && text::is_digit(s[at - 1]) &&
               at + 1 < s.size() && text::is_digit(s[at + 1])) {
      ++at;
    } else {
      break;
    }
  }
  s.remove_prefix(at);
}

std::optional<PythonInt> parse_int(std::string_view s) {
  s = text::strip(s);
  const bool negative = take_sign(s);
  std::string digits;
  take_digits(s, digits);
  if (digits.empty() || !s.empty() || digits.size() > kMaxIntDigits) {
    return std::nullopt;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (negative && digits != "0") {
    digits.insert(0, 1, '-');
  }
  return PythonInt{std::move(digits)};
}

bool equals_ignoring_case(std::string_view s, std::string_view lower) {
  return std::ranges::equal(
      s, lower, [](char a, char b) { return text::to_lower(a) == b; });
}

// Of digits, point and exponent; the sign is gone.
std::optional<double> parse_decimal(std::string_view s) {
  std::string number;
  take_digits(s, number);
  std::size_t digits = number.size();
  if (s.starts_with('.')) {
    number += '.';
    s.remove_prefix(1);
    const std::size_t before = number.size();
    take_digits(s, number);
    digits += number.size() - before;
  }
  if (digits == 0) {
    return std::nullopt;
  }
  if (s.starts_with('e') || s.starts_with('E')) {
    s.remove_prefix(1);
    number += take_sign(s) ? "e-" : "e";
    const std::size_t before = number.size();
    take_digits(s, number);
    if (number.size() == before) {
      return std::nullopt;
    }
  }
  if (!s.empty()) {
    return std::nullopt;
  }
  double value = 0;
  const auto parsed =
      std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec != std::errc()) {
    // Too large or too small for from_chars, which then gives no value.
    value = std::strtod(number.c_str(), nullptr);
  }
  return value;
}

std::optional<double> parse_float(std::string_view s) {
  s = text::strip(s);
  const bool negative = take_sign(s);
  std::optional<double> value;
  if (equals_ignoring_case(s, "inf") || equals_ignoring_case(s, "infinity")) {
    value = std::numeric_limits<double>::infinity();
  } else if (equals_ignoring_case(s, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    value = parse_decimal(s);
  }
  return value && negative ? -*value : value;
}

}  // namespace

PythonValue pythonify_default(std::string_view s) {
  if (s == "true" || s == "false") {
    return s == "true";
  }
  if (auto number = parse_int(s)) {
    return *std::move(number);
  }
  if (const auto number = parse_float(s)) {
    return *number;
  }
  return std::string(s);
}

}  // namespace opgen::emit
