#include "opgen/backend/kernel_check_tokens.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/text/characters.h"

namespace opgen::backend {
namespace {

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<CppToken> run() {
    bool line_start = true;
    while (pos_ < source_.size()) {
      const char c = source_[pos_];
      if (c == '\n' || c == '\r') {
        line_start = true;
        ++pos_;
      } else if (text::is_space(c)) {
        ++pos_;
      } else if (c == '#' && line_start) {
        directive();
      } else if (!skip_comment()) {
        line_start = false;
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead) const {
    return pos_ + ahead < source_.size() ? source_[pos_ + ahead] : '\0';
  }

  void push(CppToken::Kind kind, std::size_t begin) {
    tokens_.push_back({kind, source_.substr(begin, pos_ - begin)});
  }

  void seek(std::size_t found, std::size_t length) {
    pos_ = found == std::string_view::npos ? source_.size() : found + length;
  }

  bool skip_comment() {
    if (source_[pos_] != '/') {
      return false;
    }
    if (peek(1) == '/') {
      skip_line();
      return true;
    }
    if (peek(1) == '*') {
      seek(source_.find("*/", pos_ + 2), 2);
      return true;
    }
    return false;
  }

  // To the end of the line, over lines that end with a backslash.
  void skip_line() {
    while (pos_ < source_.size() && source_[pos_] != '\n') {
      if (source_[pos_] == '\\') {
        ++pos_;
        pos_ += peek(0) == '\r' ? 1U : 0U;
      }
      pos_ += pos_ < source_.size() ? 1U : 0U;
    }
  }

  void directive() {
    const std::size_t begin = pos_++;
    while (peek(0) == ' ' || peek(0) == '\t') {
      ++pos_;
    }
    const std::size_t name_begin = pos_;
    while (text::is_word(peek(0))) {
      ++pos_;
    }
    const std::string_view name = source_.substr(name_begin, pos_ - name_begin);
    const std::size_t rest = pos_;
    skip_directive_line();
    if (name == "if" || name == "elif") {
      push(name == "if" ? CppToken::Kind::kIf : CppToken::Kind::kElif, rest);
    } else if (name == "ifdef" || name == "ifndef") {
      push(CppToken::Kind::kIf, begin);
    } else if (name == "endif") {
      push(CppToken::Kind::kEndif, begin);
    } else if (name == "else") {
      push(CppToken::Kind::kElse, rest);
    } else if (name.starts_with("el")) {
      push(CppToken::Kind::kElif, begin);
    }
  }

  void skip_directive_line() {
    while (pos_ < source_.size() && source_[pos_] != '\n') {
      if (source_[pos_] == '/' && peek(1) == '*') {
        seek(source_.find("*/", pos_ + 2), 2);
      } else if (source_[pos_] == '\\') {
        pos_ += peek(1) == '\r' ? 3U : 2U;
      } else {
        ++pos_;
      }
    }
    pos_ = pos_ < source_.size() ? pos_ : source_.size();
  }

  void token() {
    const std::size_t begin = pos_;
    const char c = source_[pos_];
    if (text::is_word(c) && !text::is_digit(c)) {
      while (text::is_word(peek(0))) {
        ++pos_;
      }
      if (peek(0) == '"' && source_[pos_ - 1] == 'R') {
        raw_string(begin);
      } else {
        push(CppToken::Kind::kName, begin);
      }
    } else if (text::is_digit(c) || (c == '.' && text::is_digit(peek(1)))) {
      number();
      push(CppToken::Kind::kLiteral, begin);
    } else if (c == '"' || c == '\'') {
      quoted(c);
      push(CppToken::Kind::kLiteral, begin);
    } else {
      const bool two =
          (c == ':' && peek(1) == ':') || (c == '-' && peek(1) == '>');
      pos_ += two ? 2 : 1;
      push(CppToken::Kind::kPunct, begin);
    }
  }

  // With digit separators and exponents: 1'000, 0x1p-3.
  void number() {
    while (pos_ < source_.size()) {
      const char c = source_[pos_];
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek(1) == '+' || peek(1) == '-')) {
        pos_ += 2;
      } else if (text::is_word(c) || c == '.' ||
                 (c == '\'' && text::is_word(peek(1)))) {
        ++pos_;
      } else {
        return;
      }
    }
  }

  void quoted(char quote) {
    ++pos_;
    while (pos_ < source_.size() && source_[pos_] != quote &&
           source_[pos_] != '\n') {
      pos_ += source_[pos_] == '\\' && pos_ + 1 < source_.size() ? 2 : 1;
    }
    pos_ += pos_ < source_.size() ? 1U : 0U;
  }

  void raw_string(std::size_t begin) {
    const std::size_t open = source_.find('(', pos_);
    if (open == std::string_view::npos) {
      pos_ = source_.size();
    } else {
      std::string end = ")";
      end += source_.substr(pos_ + 1, open - pos_ - 1);
      end += '"';
      seek(source_.find(end, open), end.size());
    }
    push(CppToken::Kind::kLiteral, begin);
  }

  std::string_view source_;
  std::size_t pos_ = 0;
  std::vector<CppToken> tokens_;
};

}  // namespace

std::vector<CppToken> tokenize_cpp(std::string_view source) {
  return Tokenizer(source).run();
}

}  // namespace opgen::backend
