#include "opgen/emit/aoti_fallback_ops_literal.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "opgen/text/characters.h"

namespace opgen::emit {
namespace {

constexpr int kMaxDepth = 32;

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  PythonModuleError read(PythonModule& module) {
    if (source_.starts_with("\xef\xbb\xbf")) {
      pos_ = 3;
    }
    while (ok() && skip_blank(true)) {
      read_statement(module);
    }
    return error_;
  }

 private:
  bool ok() const { return error_.line == 0; }

  // The first error counts.
  void fail(std::string message) {
    if (!ok()) {
      return;
    }
    const auto before = source_.substr(0, std::min(pos_, source_.size()));
    const auto line_start = before.rfind('\n');
    error_.line =
        static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    error_.column = static_cast<int>(line_start == std::string_view::npos
                                         ? before.size() + 1
                                         : before.size() - line_start);
    error_.message = std::move(message);
  }

  char peek() const { return pos_ < source_.size() ? source_[pos_] : '\0'; }

  bool take(char c) {
    if (pos_ < source_.size() && source_[pos_] == c) {
      ++pos_;
      return true;
    }
    return false;
  }

  // Skips spaces and comments, and line ends if asked to. Returns whether
  // something is left.
  bool skip_blank(bool line_ends) {
    while (pos_ < source_.size()) {
      const char c = source_[pos_];
      if (c == '#') {
        pos_ = std::min(source_.find('\n', pos_), source_.size());
      } else if (c == ' ' || c == '\t' || c == '\f' || c == '\r' ||
                 (c == '\n' && line_ends)) {
        ++pos_;
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view read_name() {
    const std::size_t begin = pos_;
    while (pos_ < source_.size() && text::is_name_char(source_[pos_])) {
      ++pos_;
    }
    return source_.substr(begin, pos_ - begin);
  }

  void read_statement(PythonModule& module) {
    if (source_.substr(pos_).starts_with("\"\"\"")) {
      skip_docstring();
      return;
    }
    if (!text::is_name_start(peek())) {
      fail("expected an assignment");
      return;
    }
    const std::size_t begin = pos_;
    const auto name = read_name();
    if (name == "from" || name == "import") {
      pos_ = std::min(source_.find('\n', pos_), source_.size());
      return;
    }
    skip_blank(false);
    if (take(':')) {
      skip_annotation();
    }
    if (!ok()) {
      return;
    }
    if (!take('=')) {
      pos_ = begin;
      fail("expected an assignment");
      return;
    }
    skip_blank(false);
    PythonLiteral value = read_literal(0);
    if (ok() && skip_blank(false) && peek() != '\n') {
      fail("expected the end of the line");
    }
    module.variables.emplace_back(name, std::move(value));
  }

  void skip_docstring() {
    const auto end = source_.find("\"\"\"", pos_ + 3);
    if (end == std::string_view::npos) {
      fail("a string without an end");
      return;
    }
    pos_ = end + 3;
  }

  // Up to the `=` after a type.
  void skip_annotation() {
    int depth = 0;
    while (pos_ < source_.size()) {
      const char c = source_[pos_];
      if (depth == 0 && (c == '=' || c == '\n')) {
        return;
      }
      depth += c == '[' ? 1 : 0;
      depth -= c == ']' ? 1 : 0;
      ++pos_;
    }
    fail("expected = after a type");
  }

  PythonLiteral read_literal(int depth) {
    switch (peek()) {
      case '"':
      case '\'':
        return read_strings(depth);
      case '[':
        return read_items(depth, ']');
      case '(':
        return read_items(depth, ')');
      case '{':
        return read_items(depth, '}');
      default:
        fail("expected a string, a list, a set, a tuple or a dict");
        return {};
    }
  }

  // Adjacent strings are one; inside brackets they may stand on several lines.
  PythonLiteral read_strings(int depth) {
    PythonLiteral value;
    while (ok() && (peek() == '"' || peek() == '\'')) {
      read_string(value.text);
      skip_blank(depth > 0);
    }
    return value;
  }

  void read_string(std::string& text) {
    const char quote = peek();
    const std::size_t begin = pos_++;
    while (pos_ < source_.size() && source_[pos_] != '\n') {
      const char c = source_[pos_++];
      if (c == quote) {
        if (pos_ == begin + 2 && peek() == quote) {
          fail("a string in three quotes cannot stand here");
        }
        return;
      }
      if (c != '\\') {
        text.push_back(c);
        continue;
      }
      const auto escaped = unescape(peek());
      if (!escaped) {
        fail("an escape sequence that is not supported");
        return;
      }
      text.push_back(*escaped);
      ++pos_;
    }
    pos_ = begin;
    fail("a string without an end");
  }

  static std::optional<char> unescape(char c) {
    switch (c) {
      case '\\':
      case '\'':
      case '"':
        return c;
      case 'n':
        return '\n';
      case 't':
        return '\t';
      default:
        return std::nullopt;
    }
  }

  PythonLiteral read_items(int depth, char close) {
    PythonLiteral value;
    value.kind = PythonLiteral::Kind::kList;
    if (depth == kMaxDepth) {
      fail("nested too deeply");
      return value;
    }
    ++pos_;
    if (close == '}' && skip_blank(true) && peek() == '}') {
      value.kind = PythonLiteral::Kind::kDict;
    }
    while (ok()) {
      skip_blank(true);
      if (take(close)) {
        return value;
      }
      read_item(value, depth, close);
      skip_blank(true);
      if (ok() && !take(',') && peek() != close) {
        fail(std::string("expected , or ") + close);
      }
    }
    return value;
  }

  void read_item(PythonLiteral& value, int depth, char close) {
    const std::size_t begin = pos_;
    const bool first = value.items.empty();
    PythonLiteral item = read_literal(depth + 1);
    skip_blank(true);
    const bool is_entry = ok() && close == '}' && take(':');
    if (first && is_entry) {
      value.kind = PythonLiteral::Kind::kDict;
    }
    if (ok() && is_entry != (value.kind == PythonLiteral::Kind::kDict)) {
      pos_ = begin;
      fail("a dict and a set in one");
    }
    if (is_entry) {
      if (item.kind != PythonLiteral::Kind::kString) {
        pos_ = begin;
        fail("a key must be a string");
        return;
      }
      value.keys.push_back(std::move(item.text));
      skip_blank(true);
      item = read_literal(depth + 1);
    }
    value.items.push_back(std::move(item));
  }

  std::string_view source_;
  std::size_t pos_ = 0;
  PythonModuleError error_;
};

}  // namespace

const PythonLiteral* PythonLiteral::find(std::string_view key) const {
  for (std::size_t i = keys.size(); i-- > 0;) {
    if (keys[i] == key) {
      return &items[i];
    }
  }
  return nullptr;
}

const PythonLiteral* PythonModule::find(std::string_view name) const {
  for (std::size_t i = variables.size(); i-- > 0;) {
    if (variables[i].first == name) {
      return &variables[i].second;
    }
  }
  return nullptr;
}

PythonModuleError read_python_module(std::string_view source,
                                     PythonModule& module) {
  return Reader(source).read(module);
}

}  // namespace opgen::emit
