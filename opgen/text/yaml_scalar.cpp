#include "opgen/text/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "opgen/text/characters.h"

namespace opgen::text {

namespace {

template <std::size_t kCount>
bool is_one_of(std::string_view text,
               const std::array<std::string_view, kCount>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Reads a text from left to right; every step says whether it matched.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool at(char c) const { return !rest_.empty() && rest_.front() == c; }

  bool one(std::string_view chars) {
    if (rest_.empty() || chars.find(rest_.front()) == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  // Returns how many there were.
  std::size_t all(std::string_view chars) {
    const std::size_t count =
        std::min(rest_.find_first_not_of(chars), rest_.size());
    rest_.remove_prefix(count);
    return count;
  }

  bool word(std::string_view text) {
    if (!rest_.starts_with(text)) {
      return false;
    }
    rest_.remove_prefix(text.size());
    return true;
  }

  bool digits(std::size_t least, std::size_t most) {
    std::size_t count = 0;
    while (count < most && one(kDigits)) {
      ++count;
    }
    return count >= least;
  }

  // (:[0-5]?[0-9])+
  bool sixties() {
    std::size_t count = 0;
    while (one(":")) {
      const bool two =
          rest_.size() > 1 && rest_[0] <= '5' && is_digit(rest_[1]);
      if (!digits(1, two ? 2 : 1)) {
        return false;
      }
      ++count;
    }
    return count > 0;
  }

  // ([eE][-+][0-9]+)?
  bool exponent() { return !one("eE") || (one("+-") && all(kDigits) > 0); }

  static constexpr std::string_view kDigits = "0123456789";
  static constexpr std::string_view kDigitsAndLine = "0123456789_";

 private:
  std::string_view rest_;
};

bool is_int(std::string_view text) {
  Scanner scanner(text);
  scanner.one("+-");
  if (scanner.one("0")) {
    if (scanner.one("b")) {
      return scanner.all("01_") > 0 && scanner.at_end();
    }
    if (scanner.one("x")) {
      return scanner.all("0123456789abcdefABCDEF_") > 0 && scanner.at_end();
    }
    scanner.all("01234567_");
    return scanner.at_end();
  }
  if (!scanner.one("123456789")) {
    return false;
  }
  scanner.all(Scanner::kDigitsAndLine);
  return scanner.at_end() || (scanner.sixties() && scanner.at_end());
}

bool is_float(std::string_view text) {
  Scanner scanner(text);
  const bool sign = scanner.one("+-");
  if (scanner.one(".")) {
    if (scanner.word("inf") || scanner.word("Inf") || scanner.word("INF")) {
      return scanner.at_end();
    }
    if (sign) {
      return false;
    }
    if (scanner.word("nan") || scanner.word("NaN") || scanner.word("NAN")) {
      return scanner.at_end();
    }
    if (!scanner.one(Scanner::kDigits)) {
      return false;
    }
    scanner.all(Scanner::kDigitsAndLine);
    return scanner.exponent() && scanner.at_end();
  }
  if (!scanner.one(Scanner::kDigits)) {
    return false;
  }
  scanner.all(Scanner::kDigitsAndLine);
  const bool sixties = scanner.at(':');
  if ((sixties && !scanner.sixties()) || !scanner.one(".")) {
    return false;
  }
  scanner.all(Scanner::kDigitsAndLine);
  return (sixties || scanner.exponent()) && scanner.at_end();
}

bool is_date(std::string_view text) {
  Scanner scanner(text);
  return scanner.digits(4, 4) && scanner.one("-") && scanner.digits(2, 2) &&
         scanner.one("-") && scanner.digits(2, 2) && scanner.at_end();
}

bool is_timestamp(std::string_view text) {
  if (is_date(text)) {
    return true;
  }
  Scanner scanner(text);
  if (!scanner.digits(4, 4) || !scanner.one("-") || !scanner.digits(1, 2) ||
      !scanner.one("-") || !scanner.digits(1, 2)) {
    return false;
  }
  if (!scanner.one("Tt") && scanner.all(" \t") == 0) {
    return false;
  }
  if (!scanner.digits(1, 2) || !scanner.one(":") || !scanner.digits(2, 2) ||
      !scanner.one(":") || !scanner.digits(2, 2)) {
    return false;
  }
  if (scanner.one(".")) {
    scanner.all(Scanner::kDigits);
  }
  if (scanner.at_end()) {
    return true;
  }
  scanner.all(" \t");
  if (scanner.one("Z")) {
    return scanner.at_end();
  }
  if (!scanner.one("+-") || !scanner.digits(1, 2)) {
    return false;
  }
  return scanner.at_end() ||
         (scanner.one(":") && scanner.digits(2, 2) && scanner.at_end());
}

bool is_bool(std::string_view text) {
  constexpr std::array<std::string_view, 18> kWords = {"yes",
                                                       "Yes",
                                                       "YES",
                                                       "no",
                                                       "No",
                                                       "NO",
                                                       "true",
                                                       "True",
                                                       "TRUE",
                                                       "false",
                                                       "False",
                                                       "FALSE",
                                                       "on",
                                                       "On",
                                                       "ON",
                                                       "off",
                                                       "Off",
                                                       "OFF"};
  return is_one_of(text, kWords);
}

bool is_null(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords = {
      "", "~", "null", "Null", "NULL"};
  return is_one_of(text, kWords);
}

std::string without_lines(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

template <class T>
std::from_chars_result parse_all(std::string_view text, T& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number);
}

// Sexagesimal parts, most significant first, as they stand between colons.
std::optional<std::int64_t> sixties_value(std::string_view text) {
  std::int64_t total = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    std::int64_t part = 0;
    const auto parsed = parse_all(text.substr(0, end), part);
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (parsed.ec != std::errc() || total > (kMost - part) / 60) {
      return std::nullopt;
    }
    total = total * 60 + part;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return total;
}

std::optional<std::int64_t> magnitude(std::string_view text, bool negative) {
  if (text.find(':') != std::string_view::npos) {
    const auto value = sixties_value(text);
    return value && negative ? -*value : value;
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    base = text[1] == 'b' ? 2 : (text[1] == 'x' ? 16 : 8);
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  const std::string digits = (negative ? "-" : "") + std::string(text);
  std::int64_t value = 0;
  const auto parsed = std::from_chars(
      digits.data(), digits.data() + digits.size(), value, base);
  if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

YamlType resolve_plain_scalar(std::string_view text) {
  const char first = text.empty() ? '~' : text.front();
  if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    if (is_float(text)) {
      return YamlType::kFloat;
    }
    if (is_int(text)) {
      return YamlType::kInt;
    }
    return is_timestamp(text) ? YamlType::kTimestamp : YamlType::kString;
  }
  if (first == '~' || first == 'n' || first == 'N') {
    if (is_null(text)) {
      return YamlType::kNull;
    }
  }
  constexpr std::string_view kBoolStarts = "yYnNtTfFoO";
  if (text.size() <= 5 && kBoolStarts.find(first) != std::string_view::npos &&
      is_bool(text)) {
    return YamlType::kBool;
  }
  if (text == "<<") {
    return YamlType::kMerge;
  }
  return text == "=" ? YamlType::kValue : YamlType::kString;
}

bool yaml_bool(std::string_view text) {
  return text.size() > 1 &&
         (text[0] == 'y' || text[0] == 'Y' || text[0] == 't' ||
          text[0] == 'T' || text[1] == 'n' || text[1] == 'N');
}

std::optional<std::int64_t> yaml_int(std::string_view text) {
  const std::string digits = without_lines(text);
  std::string_view rest = digits;
  if (rest.empty()) {
    return std::nullopt;
  }
  const bool negative = rest.front() == '-';
  rest.remove_prefix(negative || rest.front() == '+' ? 1 : 0);
  return magnitude(rest, negative);
}

std::optional<double> yaml_float(std::string_view text) {
  std::string digits = without_lines(text);
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (negative || digits.front() == '+')) {
    digits.erase(0, 1);
  }
  double value = 0;
  double scale = 1;
  if (digits.size() == 4 && (digits[1] == 'i' || digits[1] == 'I')) {
    value = std::numeric_limits<double>::infinity();
  } else if (digits.size() == 4 && (digits[1] == 'n' || digits[1] == 'N')) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    std::string_view rest = digits;
    for (;;) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      double part = 0;
      const auto parsed = parse_all(rest.substr(0, end), part);
      if (parsed.ec != std::errc()) {
        return std::nullopt;
      }
      value = value * scale + part;
      scale = 60;
      if (end == rest.size()) {
        break;
      }
      rest.remove_prefix(end + 1);
    }
  }
  return negative ? -value : value;
}

bool yaml_int_has_digits(std::string_view text) {
  const std::string digits = without_lines(text);
  Scanner scanner(digits);
  scanner.one("+-");
  if (scanner.one("0")) {
    scanner.one("bx");
  }
  return !scanner.at_end() || (!digits.empty() && is_digit(digits.back()));
}

}  // namespace opgen::text
