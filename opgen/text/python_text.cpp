#include "opgen/text/python_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/text/utf8.h"

namespace opgen::text {

namespace {

bool is_ascii_space(unsigned char c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
}

bool is_wide_space(char32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

struct Range {
  char32_t first, last;
};

// Above ASCII, what str.isprintable refuses among the assigned characters and
// those that never will be.
constexpr std::array<Range, 26> kNotPrintable = {{
    {0x80, 0xA0},       {0xAD, 0xAD},        {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},      {0x70F, 0x70F},
    {0x890, 0x891},     {0x8E2, 0x8E2},      {0x1680, 0x1680},
    {0x180E, 0x180E},   {0x2000, 0x200F},    {0x2028, 0x202F},
    {0x205F, 0x206F},   {0x3000, 0x3000},    {0xD800, 0xF8FF},
    {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},    {0xFFFE, 0xFFFF},
    {0x110BD, 0x110BD}, {0x110CD, 0x110CD},  {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},  {0x1FFFE, 0x1FFFF},
    {0xE0000, 0xE007F}, {0xF0000, 0x10FFFF},
}};

bool is_printable(char32_t c) {
  if (c < 0x7F) {
    return c >= 0x20;
  }
  return c != 0x7F &&
         std::none_of(kNotPrintable.begin(), kNotPrintable.end(), [c](Range r) {
           return c >= r.first && c <= r.last;
         });
}

void append_hex(std::string& out, char kind, char32_t value, unsigned digits) {
  out += '\\';
  out += kind;
  for (unsigned i = digits; i-- > 0;) {
    out += "0123456789abcdef"[(value >> (4 * i)) & 0xFU];
  }
}

void append_repr(std::string& out, char32_t c) {
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (is_printable(c)) {
    append_utf8(out, c);
  } else if (c <= 0xFF) {
    append_hex(out, 'x', c, 2);
  } else if (c <= 0xFFFF) {
    append_hex(out, 'u', c, 4);
  } else {
    append_hex(out, 'U', c, 8);
  }
}

template <class Parts>
std::string join_parts(std::string_view separator, const Parts& parts) {
  std::size_t size = parts.empty() ? 0 : separator.size() * (parts.size() - 1);
  for (const auto& part : parts) {
    size += part.size();
  }
  std::string out;
  out.reserve(size);
  bool first = true;
  for (const auto& part : parts) {
    if (!first) {
      out += separator;
    }
    first = false;
    out += part;
  }
  return out;
}

// A bit mask: 1 for a byte that is not plain, 2 for white space before "\n".
unsigned scan_byte(signed char c, signed char next) {
  const auto tab = static_cast<unsigned>(c == '\t');
  const auto newline = static_cast<unsigned>(c == '\n');
  // Bytes above ASCII are negative.
  const auto low = static_cast<unsigned>(c < ' ');
  const unsigned space = static_cast<unsigned>(c == ' ') | tab;
  return (low & ~(tab | newline) & 1U) |
         ((space & static_cast<unsigned>(next == '\n')) << 1U);
}

}  // namespace

std::size_t space_size(std::string_view text, std::size_t pos) {
  if (pos >= text.size()) {
    return 0;
  }
  const auto first = static_cast<unsigned char>(text[pos]);
  if (first < 0x80) {
    return is_ascii_space(first) ? 1 : 0;
  }
  const CodePoint c = decode_utf8(text, pos);
  return c.valid && is_wide_space(c.value) ? c.size : 0;
}

std::size_t space_size_before(std::string_view text, std::size_t end) {
  if (end == 0) {
    return 0;
  }
  if (static_cast<unsigned char>(text[end - 1]) < 0x80) {
    return is_ascii_space(static_cast<unsigned char>(text[end - 1])) ? 1 : 0;
  }
  for (std::size_t size = 2; size <= 3 && size <= end; ++size) {
    if (space_size(text.substr(0, end), end - size) == size) {
      return size;
    }
  }
  return 0;
}

std::size_t line_break_size(std::string_view text, std::size_t pos) {
  const auto c = static_cast<unsigned char>(text[pos]);
  if (c == '\r') {
    return pos + 1 < text.size() && text[pos + 1] == '\n' ? 2 : 1;
  }
  if ((c >= 0x0A && c <= 0x0C) || (c >= 0x1C && c <= 0x1E)) {
    return 1;
  }
  const std::string_view rest = text.substr(pos, 3);
  if (c == 0xC2 && rest.starts_with("\xC2\x85")) {
    return 2;
  }
  if (c == 0xE2 && (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9")) {
    return 3;
  }
  return 0;
}

TextTraits scan(std::string_view text) {
  constexpr std::size_t kBlock = 64;
  unsigned mask = 0;
  std::size_t pos = 0;
  const auto* bytes = reinterpret_cast<const signed char*>(text.data());
  for (; pos + kBlock < text.size(); pos += kBlock) {
    std::uint8_t block = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      block |= static_cast<std::uint8_t>(
          scan_byte(bytes[pos + i], bytes[pos + i + 1]));
    }
    mask |= block;
  }
  for (; pos < text.size(); ++pos) {
    const bool last = pos + 1 == text.size();
    mask |= scan_byte(bytes[pos], last ? '\0' : bytes[pos + 1]);
  }
  return {(mask & 1U) == 0, (mask & 2U) != 0};
}

std::string_view lstrip(std::string_view text) {
  std::size_t pos = 0;
  while (const std::size_t size = space_size(text, pos)) {
    pos += size;
  }
  return text.substr(pos);
}

std::string_view rstrip(std::string_view text) {
  std::size_t end = text.size();
  while (const std::size_t size = space_size_before(text, end)) {
    end -= size;
  }
  return text.substr(0, end);
}

std::string_view strip(std::string_view text) {
  return lstrip(rstrip(text));
}

std::vector<std::string_view> splitlines(std::string_view text, bool keepends) {
  std::vector<std::string_view> lines;
  for_each_line(text, scan(text).plain, [&](std::string_view line) {
    if (keepends) {
      const auto end =
          static_cast<std::size_t>(line.data() - text.data()) + line.size();
      const std::size_t size =
          end < text.size() ? line_break_size(text, end) : 0;
      line = std::string_view(line.data(), line.size() + size);
    }
    lines.push_back(line);
  });
  return lines;
}

std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) {
      parts.push_back(text.substr(begin));
      return parts;
    }
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
}

std::string indent(std::string_view text, std::string_view prefix) {
  std::string out;
  out.reserve(text.size() + text.size() / 8 + prefix.size());
  for (const std::string_view line : splitlines(text, true)) {
    if (!strip(line).empty()) {
      out += prefix;
    }
    out += line;
  }
  return out;
}

std::string dedent(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  std::vector<std::string_view> lines = split(text, "\n");
  std::optional<std::string_view> margin;
  for (std::string_view& line : lines) {
    const std::size_t start = line.find_first_not_of(kBlank);
    if (start == std::string_view::npos) {
      line = {};
      continue;
    }
    const std::string_view lead = line.substr(0, start);
    if (!margin) {
      margin = lead;
      continue;
    }
    const auto differ =
        std::mismatch(margin->begin(), margin->end(), lead.begin(), lead.end());
    margin = margin->substr(
        0, static_cast<std::size_t>(differ.first - margin->begin()));
  }
  for (std::string_view& line : lines) {
    line.remove_prefix(line.empty() ? 0 : margin.value_or("").size());
  }
  return join("\n", lines);
}

std::string join(std::string_view separator,
                 const std::vector<std::string>& parts) {
  return join_parts(separator, parts);
}

std::string join(std::string_view separator,
                 const std::vector<std::string_view>& parts) {
  return join_parts(separator, parts);
}

std::string replace_all(std::string_view text,
                        std::string_view from,
                        std::string_view to) {
  std::string out;
  out.reserve(text.size());
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(from, begin);
    if (end == std::string_view::npos) {
      return out.append(text.substr(begin));
    }
    out.append(text.substr(begin, end - begin)).append(to);
    begin = end + from.size();
  }
}

std::string repr_string(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const bool twice = text.find('"') != std::string_view::npos;
  const char quote = single && !twice ? '"' : '\'';
  std::string out;
  out.reserve(text.size() + 2);
  out += quote;
  for (std::size_t pos = 0; pos < text.size();) {
    const CodePoint c = decode_utf8(text, pos);
    pos += c.size;
    if (!c.valid) {
      append_hex(out, 'u', 0xDC00U + c.value, 4);
    } else if (c.value == static_cast<unsigned char>(quote) ||
               c.value == '\\') {
      out += '\\';
      out += static_cast<char>(c.value);
    } else {
      append_repr(out, c.value);
    }
  }
  out += quote;
  return out;
}

}  // namespace opgen::text
