#include "opgen/backend/kernel_check_types.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/kernel_check_definitions.h"
#include "opgen/backend/kernel_check_tokens.h"

namespace opgen::backend {
namespace {

using Tokens = std::span<const CppToken>;

struct Alias {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array kAliases{
    Alias{"IntArrayRef", "ArrayRef<int64_t>"},
    Alias{"SymIntArrayRef", "ArrayRef<SymInt>"},
    Alias{"TensorList", "ArrayRef<Tensor>"},
    Alias{"ITensorListRef", "IListRef<Tensor>"},
    Alias{"IOptTensorListRef", "IListRef<OptionalTensorRef>"},
    Alias{"OptionalIntArrayRef", "OptionalArrayRef<int64_t>"},
    Alias{"OptionalSymIntArrayRef", "OptionalArrayRef<SymInt>"},
    Alias{"DeviceIndex", "int8_t"},
};

int nesting_of(const CppToken& token) {
  if (token.kind != CppToken::Kind::kPunct) {
    return 0;
  }
  switch (token.text.front()) {
    case '<':
    case '(':
    case '[':
    case '{':
      return 1;
    case '>':
    case ')':
    case ']':
    case '}':
      return -1;
    default:
      return 0;
  }
}

// Calls `f` with each part between commas outside of brackets.
template <class F>
void for_each_part(Tokens tokens, F f) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    depth += nesting_of(tokens[i]);
    if (depth == 0 && tokens[i].is(",")) {
      f(tokens.subspan(begin, i - begin));
      begin = i + 1;
    }
  }
  if (begin < tokens.size()) {
    f(tokens.subspan(begin));
  }
}

// Without the default and attributes.
std::vector<CppToken> declarator(Tokens tokens) {
  std::vector<CppToken> result;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (depth == 0 && tokens[i].is("=")) {
      break;
    }
    if (tokens[i].is("[") && i + 1 < tokens.size() && tokens[i + 1].is("[")) {
      while (i < tokens.size() && !tokens[i].is("]")) {
        ++i;
      }
      ++i;
      continue;
    }
    depth += nesting_of(tokens[i]);
    result.push_back(tokens[i]);
  }
  return result;
}

bool is_qualifier(const CppToken& token) {
  return token.is("const") || token.is("volatile") || token.is("typename") ||
         token.is("struct") || token.is("class");
}

// Whether the last token names the parameter.
bool has_name(Tokens tokens) {
  if (tokens.size() < 2 || tokens.back().kind != CppToken::Kind::kName ||
      is_qualifier(tokens.back()) || tokens[tokens.size() - 2].is("::")) {
    return false;
  }
  for (const CppToken& token : tokens.first(tokens.size() - 1)) {
    if (token.kind == CppToken::Kind::kName && !is_qualifier(token)) {
      return true;
    }
  }
  return false;
}

std::string_view meaning_of(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) {
      return alias.meaning;
    }
  }
  return name;
}

// Deeper templates are taken for one another.
constexpr int kMaxDepth = 32;

std::string normalize(Tokens tokens, int depth);

// The position after the bracket that closes the one at `open`.
std::size_t close_of(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += nesting_of(tokens[i]);
    if (depth == 0) {
      return i + 1;
    }
  }
  return tokens.size();
}

std::string normalize_arguments(Tokens tokens, int depth) {
  std::string text = "<";
  if (depth < kMaxDepth) {
    for_each_part(tokens, [&text, depth](Tokens part) {
      text += text.size() > 1 ? "," : "";
      text += normalize(part, depth + 1);
    });
  }
  text += '>';
  return text;
}

std::string normalize(Tokens tokens, int depth) {
  bool is_const = false;
  std::string base;
  std::string suffix;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const CppToken& token = tokens[i];
    if (token.is("const")) {
      if (suffix.empty()) {
        is_const = true;
      } else {
        suffix += "const";
      }
    } else if (token.is("<")) {
      const std::size_t end = close_of(tokens, i);
      const Tokens inside = tokens.subspan(i + 1, end - i - 1);
      base += normalize_arguments(
          inside.first(inside.empty() ? 0 : inside.size() - 1), depth);
      i = end - 1;
    } else if (token.is("&") || token.is("*")) {
      suffix += token.text;
    } else if (!is_qualifier(token) && !token.is("::") &&
               (i + 1 >= tokens.size() || !tokens[i + 1].is("::"))) {
      base += base.empty() || token.kind == CppToken::Kind::kPunct ? "" : " ";
      base += meaning_of(token.text);
    }
  }
  return (is_const && !suffix.empty() ? "const " : "") + base + suffix;
}

}  // namespace

std::vector<std::string> parameter_types(std::span<const CppToken> tokens) {
  std::vector<std::string> types;
  for_each_part(tokens, [&types](Tokens part) {
    const std::vector<CppToken> kept = declarator(part);
    Tokens type = kept;
    if (has_name(type)) {
      type = type.first(type.size() - 1);
    }
    types.push_back(normalize(type, 0));
  });
  if (types.size() == 1 && types[0] == "void") {
    types.clear();
  }
  return types;
}

std::string normalize_type(std::string_view type) {
  return normalize(tokenize_cpp(type), 0);
}

}  // namespace opgen::backend
