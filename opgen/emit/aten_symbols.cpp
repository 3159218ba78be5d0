#include "opgen/emit/aten_symbols.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "opgen/emit/env.h"
#include "opgen/emit/str_append.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/operator_name.h"
#include "opgen/text/code_template.h"

namespace opgen::emit {

namespace {

// C++ reads these words as operators.
constexpr std::array<std::string_view, 11> kAlternativeTokens = {"and",
                                                                 "and_eq",
                                                                 "bitand",
                                                                 "bitor",
                                                                 "compl",
                                                                 "not",
                                                                 "not_eq",
                                                                 "or",
                                                                 "or_eq",
                                                                 "xor",
                                                                 "xor_eq"};

template <typename Names>
std::vector<std::string_view> sorted(const Names& names) {
  std::vector<std::string_view> result(names.begin(), names.end());
  std::ranges::sort(result);
  return result;
}

std::string symbols(const std::vector<std::string_view>& names,
                    std::string_view ns) {
  std::string text;
  for (const std::string_view name : names) {
    str_append(text, text.empty() ? "" : " \\\n", "_(", ns, ", ", name, ")");
  }
  return text;
}

}  // namespace

std::string compute_aten_op(const model::NativeFunction& f) {
  std::string text;
  str_append(text,
             "{\"aten::",
             f.func.name.name.str(),
             "\", \"",
             f.func.name.overload_name,
             "\"},");
  return text;
}

text::Env gen_aten_interned_strings(
    const model::NativeFunctions& native_functions) {
  std::unordered_set<std::string> names;
  std::unordered_set<std::string_view> attrs;
  for (const auto& f : native_functions.functions) {
    const model::BaseOperatorName& name = f->func.name.name;
    names.insert(name.str());
    names.insert(name.base);
    for (const model::Argument& a : f->func.arguments.flat_all()) {
      attrs.insert(a.name);
    }
  }
  for (const std::string_view token : kAlternativeTokens) {
    names.erase(std::string(token));
  }
  return env_of("aten_symbols",
                symbols(sorted(names), "aten"),
                "attr_symbols",
                symbols(sorted(attrs), "attr"));
}

text::Env gen_tags_enum(const model::NativeFunctions& native_functions) {
  std::unordered_set<std::string_view> tags;
  for (const auto& [tag, description] : native_functions.valid_tags) {
    tags.insert(tag);
  }
  std::string text;
  str_append_joined(
      text, sorted(tags), ",\n", [](std::string_view tag) { return tag; });
  return env_of("enum_of_valid_tags", std::move(text));
}

}  // namespace opgen::emit
