#include "opgen/backend/kernel_check_conditions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "opgen/backend/kernel_check_tokens.h"
#include "opgen/text/characters.h"

namespace opgen::backend {
namespace {

using Kind = CppToken::Kind;

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

Truth truth_of(bool value) {
  return value ? Truth::kTrue : Truth::kFalse;
}

// 0, 0x0, 0b0'0, 1L, ...
Truth literal_truth(std::string_view text) {
  if (text.empty() || !text::is_digit(text.front())) {
    return Truth::kUnknown;
  }
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const bool binary = text.starts_with("0b") || text.starts_with("0B");
  const std::string_view digits = text.substr(hexadecimal || binary ? 2 : 0);
  return truth_of(std::ranges::any_of(digits, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return (text::is_digit(c) && c != '0') || (hexadecimal && letter);
  }));
}

// Of a condition, as far as `!`, `&&`, `||` and literals say.
class Condition {
 public:
  explicit Condition(std::string_view text) : tokens_(tokenize_cpp(text)) {
    // Lines that end with a backslash.
    std::erase_if(tokens_,
                  [](const CppToken& token) { return token.is("\\"); });
  }

  Truth evaluate() {
    const bool other = std::ranges::any_of(tokens_, [](const CppToken& token) {
      return token.is("?") || token.is(",");
    });
    const Truth truth = other ? Truth::kUnknown : any_of(0);
    return pos_ == tokens_.size() ? truth : Truth::kUnknown;
  }

 private:
  // Deeper ones are not looked into.
  static constexpr std::size_t kDeepest = 64;

  bool is_at(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }

  bool take_twice(std::string_view text) {
    const bool found = is_at(pos_, text) && is_at(pos_ + 1, text);
    pos_ += found ? 2 : 0;
    return found;
  }

  bool at_end_of_operand() const {
    return pos_ >= tokens_.size() || is_at(pos_, ")") ||
           (is_at(pos_, "&") && is_at(pos_ + 1, "&")) ||
           (is_at(pos_, "|") && is_at(pos_ + 1, "|"));
  }

  Truth any_of(std::size_t depth) {
    Truth truth = all_of(depth);
    while (take_twice("|")) {
      const Truth next = all_of(depth);
      if (truth == Truth::kFalse || next == Truth::kTrue) {
        truth = next;
      }
    }
    return truth;
  }

  Truth all_of(std::size_t depth) {
    Truth truth = operand(depth);
    while (take_twice("&")) {
      const Truth next = operand(depth);
      if (truth == Truth::kTrue || next == Truth::kFalse) {
        truth = next;
      }
    }
    return truth;
  }

  Truth operand(std::size_t depth) {
    bool negative = false;
    while (is_at(pos_, "!")) {
      negative = !negative;
      ++pos_;
    }
    const std::size_t begin = pos_;
    Truth truth = Truth::kUnknown;
    if (is_at(pos_, "(") && depth < kDeepest) {
      ++pos_;
      truth = any_of(depth + 1);
      pos_ += is_at(pos_, ")") ? 1 : 0;
    } else if (pos_ < tokens_.size()) {
      const CppToken& token = tokens_[pos_];
      if (token.is("true") || token.is("false")) {
        truth = truth_of(token.is("true"));
      } else if (token.kind == Kind::kLiteral) {
        truth = literal_truth(token.text);
      }
      pos_ += truth == Truth::kUnknown ? 0 : 1;
    }
    if (truth != Truth::kUnknown && at_end_of_operand()) {
      return truth_of((truth == Truth::kTrue) != negative);
    }
    pos_ = begin;
    skip_operand();
    return Truth::kUnknown;
  }

  // To the next `&&`, `||` or ")" outside of parentheses.
  void skip_operand() {
    std::size_t depth = 0;
    while (pos_ < tokens_.size() && (depth > 0 || !at_end_of_operand())) {
      depth += is_at(pos_, "(") ? 1U : 0U;
      depth -= is_at(pos_, ")") ? 1U : 0U;
      ++pos_;
    }
  }

  std::vector<CppToken> tokens_;
  std::size_t pos_ = 0;
};

// Branches from #if to #endif.
struct Group {
  bool alive;            // what the group stands in
  bool open = false;     // a kIf stands for it
  bool decided = false;  // a branch that is always taken was there
  bool branch = false;   // the present branch is alive
};

class Filter {
 public:
  std::vector<CppToken> run(std::span<const CppToken> tokens) {
    for (const CppToken& token : tokens) {
      if (token.kind <= Kind::kPunct) {
        if (alive()) {
          result_.push_back(token);
        }
      } else if (token.kind == Kind::kIf) {
        groups_.push_back({alive()});
        branch(token, Condition(token.text).evaluate());
      } else if (groups_.empty()) {
        continue;
      } else if (token.kind == Kind::kEndif) {
        if (groups_.back().open) {
          result_.push_back(token);
        }
        groups_.pop_back();
      } else {
        branch(token,
               token.kind == Kind::kElse ? Truth::kTrue
                                         : Condition(token.text).evaluate());
      }
    }
    return result_;
  }

 private:
  bool alive() const { return groups_.empty() || groups_.back().branch; }

  void branch(const CppToken& token, Truth truth) {
    Group& group = groups_.back();
    group.branch = group.alive && !group.decided && truth != Truth::kFalse;
    if (!group.branch) {
      return;
    }
    if (group.open || truth == Truth::kUnknown) {
      const Kind kind = group.open ? Kind::kElse : Kind::kIf;
      result_.push_back({kind, token.text});
      group.open = true;
    }
    group.decided = truth == Truth::kTrue;
  }

  std::vector<Group> groups_;
  std::vector<CppToken> result_;
};

}  // namespace

std::vector<CppToken> without_dead_branches(
    const std::vector<CppToken>& tokens) {
  return Filter().run(tokens);
}

}  // namespace opgen::backend
