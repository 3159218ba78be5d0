#include "opgen/backend/kernel_check_definitions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/backend/kernel_check_conditions.h"
#include "opgen/backend/kernel_check_tokens.h"
#include "opgen/backend/kernel_check_types.h"

namespace opgen::backend {
namespace {

constexpr std::string_view kImplMacro = "TORCH_IMPL_FUNC";

using Tokens = std::span<const CppToken>;

// A pair of braces that is open.
struct Scope {
  std::vector<std::string_view> names;  // that it adds to those inside
  bool opaque = false;                  // holds no definitions
  // The number of the definition whose body this is.
  std::optional<std::size_t> function = std::nullopt;
};

bool is_class_key(const CppToken& token) {
  return token.is("class") || token.is("struct") || token.is("union");
}

class Finder {
 public:
  explicit Finder(Tokens tokens) : tokens_(tokens) {}

  std::vector<FunctionDefinition> run() {
    while (pos_ < tokens_.size()) {
      step();
    }
    drop_unfinished();
    return std::move(found_);
  }

 private:
  bool is_at(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }

  void step() {
    const CppToken& token = tokens_[pos_];
    if (token.kind > CppToken::Kind::kPunct) {
      condition(token.kind);
    } else if (token.is("{")) {
      open({});
    } else if (token.is("}")) {
      close();
    } else if (!in_function() && token.is(";")) {
      statement_ = ++pos_;
    } else if (!in_function() && token.is("(")) {
      parentheses();
    } else {
      ++pos_;
    }
  }

  bool in_function() const { return !scopes_.empty() && scopes_.back().opaque; }

  // Every branch starts with the scopes that were open before the first.
  void condition(CppToken::Kind kind) {
    ++pos_;
    if (kind == CppToken::Kind::kIf) {
      conditions_.push_back(scopes_);
    } else if (kind == CppToken::Kind::kElse) {
      keep_in_mind(scopes_, left_open_);
      scopes_ = conditions_.back();
    } else {
      conditions_.pop_back();
    }
    statement_ = pos_;
  }

  // Adds the numbers of the functions whose bodies are open.
  static void keep_in_mind(const std::vector<Scope>& scopes,
                           std::set<std::size_t>& functions) {
    for (const Scope& scope : scopes) {
      if (scope.function) {
        functions.insert(*scope.function);
      }
    }
  }

  // A body that is open where a branch ends is closed after the branches, with
  // that of the last branch. Where the text ends in a body, it has no end.
  void drop_unfinished() {
    std::set<std::size_t> open;
    keep_in_mind(scopes_, open);
    if (open.empty()) {
      return;
    }
    open.insert(left_open_.begin(), left_open_.end());
    for (const std::size_t number : std::views::reverse(open)) {
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(number));
    }
  }

  void open(Scope scope) {
    if (!in_function()) {
      const bool known = !scope.names.empty() || head(scope);
      scope.opaque = scope.opaque || !known;
    } else {
      scope = {{}, true};
    }
    scopes_.push_back(std::move(scope));
    statement_ = ++pos_;
  }

  void close() {
    if (!scopes_.empty()) {
      scopes_.pop_back();
    }
    statement_ = ++pos_;
  }

  // Reads what stands before a "{": whether it opens a namespace, a class or
  // `extern "C"`.
  bool head(Scope& scope) const {
    const Tokens head = tokens_.subspan(statement_, pos_ - statement_);
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i].is("namespace")) {
        for (const CppToken& token : head.subspan(i + 1)) {
          if (token.kind == CppToken::Kind::kName && !token.is("inline")) {
            scope.names.push_back(token.text);
          }
        }
        return true;
      }
      if (head[i].is("extern")) {
        return true;
      }
      if (head[i].is("enum") || head[i].is("=")) {
        return false;
      }
      if (is_class_key(head[i]) && (i == 0 || !head[i - 1].is("<"))) {
        class_name(head.subspan(i + 1), scope);
        return true;
      }
    }
    return false;
  }

  static void class_name(Tokens head, Scope& scope) {
    std::string_view last;
    for (const CppToken& token : head) {
      if (token.is(":")) {
        break;
      }
      if (token.kind == CppToken::Kind::kName && !token.is("final")) {
        last = token.text;
      }
    }
    if (!last.empty()) {
      scope.names.push_back(last);
    }
  }

  // The position after the parenthesis that closes the one at `open`.
  std::size_t after_parentheses(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].is("(")) {
        ++depth;
      } else if (tokens_[i].is(")") && --depth == 0) {
        return i + 1;
      }
    }
    return tokens_.size();
  }

  void parentheses() {
    const std::size_t begin = pos_;
    std::size_t end = after_parentheses(begin);
    std::vector<std::string> path = name_before(begin);
    std::size_t parameters = begin;
    if (path.size() == 1 && path[0] == kImplMacro && is_at(end, "(") &&
        end >= begin + 3) {
      path = {"structured_" + std::string(tokens_[end - 2].text), "impl"};
      parameters = end;
      end = after_parentheses(end);
    }
    const std::size_t body = body_after(end);
    if (path.empty() || body == 0) {
      pos_ = end;
      return;
    }
    add(std::move(path),
        tokens_[begin - 1].text,
        tokens_.subspan(parameters + 1,
                        end - parameters - (is_at(end - 1, ")") ? 2 : 1)));
    pos_ = body;
    open_body();
  }

  void open_body() {
    scopes_.push_back({{}, true, found_.size() - 1});
    statement_ = ++pos_;
  }

  std::vector<std::string> name_before(std::size_t open) const {
    std::vector<std::string> path;
    std::size_t i = open;
    while (i > statement_ && tokens_[i - 1].kind == CppToken::Kind::kName) {
      path.emplace(path.begin(), tokens_[i - 1].text);
      if (i < statement_ + 2 || !tokens_[i - 2].is("::")) {
        break;
      }
      i -= 2;
    }
    return path;
  }

  // The "{" of the function whose parameters end before `i`; 0 if there is
  // none.
  std::size_t body_after(std::size_t i) const {
    while (i < tokens_.size()) {
      const CppToken& token = tokens_[i];
      if (token.is("{")) {
        return i;
      }
      if (token.is("noexcept") && is_at(i + 1, "(")) {
        i = after_parentheses(i + 1);
        continue;
      }
      const bool after_parameters = token.is("const") || token.is("noexcept") ||
                                    token.is("override") || token.is("final") ||
                                    token.is("&");
      if (token.is("->")) {
        return body_after_return_type(i + 1);
      }
      if (!after_parameters) {
        return 0;
      }
      ++i;
    }
    return 0;
  }

  std::size_t body_after_return_type(std::size_t i) const {
    while (i < tokens_.size() && !tokens_[i].is("{")) {
      if (tokens_[i].is(";") || tokens_[i].is("}")) {
        return 0;
      }
      ++i;
    }
    return i < tokens_.size() ? i : 0;
  }

  void add(std::vector<std::string> path,
           std::string_view text,
           Tokens parameters) {
    FunctionDefinition definition;
    for (const Scope& scope : scopes_) {
      definition.path.insert(
          definition.path.end(), scope.names.begin(), scope.names.end());
    }
    for (std::string& name : path) {
      definition.path.push_back(std::move(name));
    }
    definition.parameters = parameter_types(parameters);
    definition.text = text;
    found_.push_back(std::move(definition));
  }

  Tokens tokens_;
  std::size_t pos_ = 0;
  std::size_t statement_ = 0;
  std::vector<Scope> scopes_;
  std::vector<std::vector<Scope>> conditions_;
  // Functions whose bodies were open at the end of a branch.
  std::set<std::size_t> left_open_;
  std::vector<FunctionDefinition> found_;
};

}  // namespace

std::string FunctionDefinition::qualified_name() const {
  std::string name;
  for (const std::string& part : path) {
    name += name.empty() ? "" : "::";
    name += part;
  }
  return name;
}

bool FunctionDefinition::ends_with(
    const std::vector<std::string_view>& names) const {
  return names.size() <= path.size() &&
         std::equal(names.rbegin(), names.rend(), path.rbegin());
}

std::vector<FunctionDefinition> find_definitions(std::string_view source) {
  const std::vector<CppToken> tokens =
      without_dead_branches(tokenize_cpp(source));
  return Finder(tokens).run();
}

}  // namespace opgen::backend
