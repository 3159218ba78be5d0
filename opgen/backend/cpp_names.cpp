#include "opgen/backend/cpp_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "opgen/text/characters.h"
#include "opgen/text/python_text.h"

namespace opgen::backend {
namespace {

// Of C++20, with the alternative spellings of operators; sorted.
constexpr std::array<std::string_view, 92> kKeywords = {
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
};
static_assert(std::ranges::is_sorted(kKeywords));

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && !text::is_digit(text.front()) &&
         is_part_of_identifier(text) &&
         !std::ranges::binary_search(kKeywords, text);
}

bool is_qualified_identifier(std::string_view text) {
  return std::ranges::all_of(text::split(text, "::"), is_identifier);
}

bool is_part_of_identifier(std::string_view text) {
  return std::ranges::all_of(text, text::is_name_char);
}

}  // namespace opgen::backend
