#include "opgen/emit/aten_symbols.h"

#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "opgen/model/native_functions.h"
#include "opgen/text/code_template.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

std::string hole(const text::Env& env, std::string_view name) {
  const text::Value* value = env.find(name);
  return value == nullptr ? "(missing)" : std::get<std::string>(*value);
}

TEST(AtenSymbols, ListsNameAndOverload) {
  EXPECT_EQ(compute_aten_op(*api::function_of(
                "add_.Tensor(Tensor(a!) self) -> Tensor(a!)")),
            "{\"aten::add_\", \"Tensor\"},");
  EXPECT_EQ(compute_aten_op(*api::function_of("abs(Tensor x) -> ()")),
            "{\"aten::abs\", \"\"},");
}

TEST(AtenSymbols, SortsNamesAndLeavesOutKeywords) {
  model::NativeFunctions program;
  program.functions.push_back(
      api::function_of("sin_(Tensor(a!) self) -> Tensor(a!)"));
  program.functions.push_back(api::function_of("or(Tensor self) -> Tensor"));
  program.functions.push_back(
      api::function_of("__or__(Tensor self, *, Tensor(a!) A) -> Tensor(a!)"));
  const text::Env env = gen_aten_interned_strings(program);
  EXPECT_EQ(hole(env, "aten_symbols"),
            "_(aten, __or__) \\\n_(aten, sin) \\\n_(aten, sin_)");
  EXPECT_EQ(hole(env, "attr_symbols"), "_(attr, A) \\\n_(attr, self)");
}

TEST(AtenSymbols, SortsTags) {
  model::NativeFunctions program;
  program.valid_tags = {{"pointwise", "x"}, {"core", "y"}};
  EXPECT_EQ(hole(gen_tags_enum(program), "enum_of_valid_tags"),
            "core,\npointwise");
}

}  // namespace
}  // namespace opgen::emit
