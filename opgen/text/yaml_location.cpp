#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "opgen/text/utf8.h"
#include "opgen/text/yaml.h"

namespace opgen::text {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

struct Step {
  std::size_t source;  // bytes in the file
  std::size_t value;   // bytes in the value
};

std::size_t utf8_size(char32_t c) {
  std::string out;
  append_utf8(out, c);
  return out.size();
}

// An escape in double quotes, which begins with a backslash.
Step escape_step(std::string_view text) {
  const char kind = text.size() > 1 ? text[1] : '\\';
  const std::size_t digits =
      kind == 'x' ? 2 : (kind == 'u' ? 4 : (kind == 'U' ? 8 : 0));
  if (digits > 0) {
    char32_t c = 0;
    for (const char digit : text.substr(2, digits)) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const char lower =
          digit >= 'A' && digit <= 'F' ? static_cast<char>(digit + 32) : digit;
      c = c * 16 +
          static_cast<char32_t>(std::min(kDigits.find(lower), kDigits.size()));
    }
    return {2 + digits, utf8_size(c)};
  }
  if (kind == '\n' || kind == '\r') {
    // The line break and the indentation after it vanish.
    const std::size_t next = text.find_first_not_of(kSpace, 1);
    return {std::min(next, text.size()), 0};
  }
  if (kind == 'N' || kind == '_') {
    return {2, 2};
  }
  return {2, kind == 'L' || kind == 'P' ? std::size_t{3} : std::size_t{1}};
}

// White space that spans lines in the file: what is kept of it in the value is
// line breaks, a space or indentation.
std::size_t location_in_space(std::string_view file,
                              std::string_view value,
                              std::size_t index) {
  if (file.find_first_of("\r\n") == std::string_view::npos) {
    return std::min(index, file.size());
  }
  const std::size_t last_break = file.find_last_of("\r\n");
  const std::size_t indented =
      value.size() - std::min(value.find_last_of('\n') + 1, value.size());
  const std::size_t from_end = value.size() - index;
  if (from_end <= indented && from_end < file.size() - last_break) {
    return file.size() - from_end;
  }
  const std::size_t first_break = file.find_first_of("\r\n");
  return std::min(first_break + index, last_break);
}

// Follows the value and the file side by side.
class Walk {
 public:
  Walk(const YamlNode& node, std::string_view file)
      : style_(node.style()),
        value_(node.value()),
        file_(file),
        source_(node.range().begin),
        end_(std::min(node.range().end, file.size())) {
    const bool block =
        style_ == YamlStyle::kLiteral || style_ == YamlStyle::kFolded;
    if (block) {
      source_ = std::min(file.find('\n', source_), end_);
      source_ += source_ < end_ ? 1 : 0;
      const std::size_t text =
          std::min(file.find_first_not_of(kSpace, source_), end_);
      const std::size_t lead =
          std::min(value_.find_first_not_of(kSpace), value_.size());
      source_ = std::max(source_, text - std::min(lead, text));
    } else if (style_ != YamlStyle::kPlain) {
      ++source_;
    }
  }

  std::size_t locate(std::size_t index) {
    std::size_t done = 0;
    while (done < index && source_ < end_) {
      const std::size_t space = run(value_, done, value_.size());
      if (space > 0 && !at_escape()) {
        const std::size_t wide = run(file_, source_, end_);
        if (done + space > index) {
          return source_ + location_in_space(file_.substr(source_, wide),
                                             value_.substr(done, space),
                                             index - done);
        }
        source_ += wide;
        done += space;
        continue;
      }
      const Step step = next();
      if (done + step.value > index) {
        return source_ + (step.source == step.value ? index - done : 0);
      }
      source_ += step.source;
      done += step.value;
    }
    return std::min(source_, end_);
  }

 private:
  static std::size_t run(std::string_view text,
                         std::size_t begin,
                         std::size_t end) {
    const std::size_t stop = text.find_first_not_of(kSpace, begin);
    return std::min(stop, end) - begin;
  }

  bool at_escape() const {
    return style_ == YamlStyle::kDoubleQuoted && file_[source_] == '\\';
  }

  Step next() const {
    if (at_escape()) {
      return escape_step(file_.substr(source_, end_ - source_));
    }
    if (style_ == YamlStyle::kSingleQuoted && file_[source_] == '\'') {
      return {2, 1};
    }
    return {1, 1};
  }

  YamlStyle style_;
  std::string_view value_;
  std::string_view file_;
  std::size_t source_;
  std::size_t end_;
};

}  // namespace

std::size_t location_in(const YamlNode& node, std::size_t index) {
  const std::string_view value = node.value();
  index = std::min(index, value.size());
  if (node.range().file == nullptr || !node.is_scalar()) {
    return node.range().begin;
  }
  const std::string_view file = node.range().file->contents();
  const std::less_equal<> before;
  if (before(file.data(), value.data()) &&
      before(value.data() + value.size(), file.data() + file.size())) {
    return static_cast<std::size_t>(value.data() - file.data()) + index;
  }
  return Walk(node, file).locate(index);
}

SourceRange range_in(const YamlNode& node, std::size_t begin, std::size_t end) {
  const std::size_t first = location_in(node, begin);
  // The place after the last byte, not that of the next one.
  const std::size_t last = end > begin ? location_in(node, end - 1) + 1 : first;
  const std::size_t limit = std::max(first, node.range().end);
  return {node.range().file, first, std::clamp(last, first, limit)};
}

}  // namespace opgen::text
