#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "opgen/model/type.h"
#include "opgen/text/characters.h"

namespace opgen::api::cpp {
namespace {

using model::BaseTy;
using model::Type;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7>
    kJitToCppDefault{{
        {"False", "false"},
        {"True", "true"},
        {"None", "::std::nullopt"},
        {"Mean", "at::Reduction::Mean"},
        {"[]", "{}"},
        {"contiguous_format", "c10::MemoryFormat::Contiguous"},
        {"long", "at::kLong"},
    }};

std::string in_double_quotes(std::string_view d) {
  std::string text = "\"";
  std::size_t i = 1;
  while (i + 1 < d.size()) {
    if (d[i] == '\\') {
      if (d[i + 1] == '\'') {
        text += '\'';
      } else {
        text += d.substr(i, 2);
      }
      i += 2;
      continue;
    }
    if (d[i] == '"') {
      text += '\\';
    }
    text += d[i];
    ++i;
  }
  text += '"';
  return text;
}

bool is_number(std::string_view d) {
  return !d.empty() && std::ranges::all_of(d, text::is_digit);
}

bool is_enclosed(std::string_view d, char open, char close) {
  return d.size() >= 2 && d.front() == open && d.back() == close;
}

}  // namespace

std::string default_expr(std::string_view d, const Type* t, bool symint) {
  if (t->is(BaseTy::kStr) && is_enclosed(d, '\'', '\'')) {
    return in_double_quotes(d);
  }
  if (t->is_optional()) {
    if (d == "None") {
      return t->elem()->is(BaseTy::kTensor) ? "{}" : "::std::nullopt";
    }
    return default_expr(d, t->elem(), symint);
  }
  if (t->is_list()) {
    if (is_enclosed(d, '[', ']')) {
      std::string text = "{";
      text.append(d.substr(1, d.size() - 2)).append("}");
      return text;
    }
    if (symint && t->elem()->is(BaseTy::kSymInt) && is_number(d)) {
      std::string text = "c10::SymInt(";
      text.append(d).append(")");
      return text;
    }
    if (!t->size()) {
      throw ApiError(
          "the default of a list must be a list, as in '[1, 2]', "
          "but is '" +
          std::string(d) + "'");
    }
  }
  for (const auto& [jit, cpp] : kJitToCppDefault) {
    if (d == jit) {
      return std::string(cpp);
    }
  }
  return std::string(d);
}

}  // namespace opgen::api::cpp
