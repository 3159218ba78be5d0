#include <string_view>

#include <gtest/gtest.h>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::cpp {
namespace {

void expect_default(std::string_view type,
                    std::string_view value,
                    std::string_view expected,
                    bool symint = false) {
  EXPECT_EQ(default_expr(value, type_of(type), symint), expected)
      << type << " " << value;
}

TEST(DefaultExpr, spells_constants_as_cpp_does) {
  expect_default("bool", "False", "false");
  expect_default("bool", "True", "true");
  expect_default("int", "Mean", "at::Reduction::Mean");
  expect_default(
      "MemoryFormat", "contiguous_format", "c10::MemoryFormat::Contiguous");
  expect_default("ScalarType", "long", "at::kLong");
  expect_default("float", "1e-05", "1e-05");
}

TEST(DefaultExpr, spells_none_by_type) {
  expect_default("Tensor?", "None", "{}");
  expect_default("int[]?", "None", "::std::nullopt");
}

TEST(DefaultExpr, turns_lists_into_braces) {
  expect_default("int[2]", "[0,1]", "{0,1}");
  expect_default("int[2]", "[]", "{}");
  expect_default("int[2]?", "[0]", "{0}");
}

TEST(DefaultExpr, wraps_numbers_for_lists_of_symint) {
  expect_default("SymInt[2]", "0", "c10::SymInt(0)", true);
  expect_default("SymInt[2]", "0", "0");
  expect_default("SymInt[2]", "-1", "-1", true);
}

TEST(DefaultExpr, throws_for_a_single_value_of_an_unsized_list) {
  EXPECT_THROW(default_expr("0", type_of("int[]"), false), ApiError);
}

TEST(DefaultExpr, quotes_strings_anew) {
  expect_default("str", "'mean'", R"("mean")");
  expect_default("str", R"('say "a"')", R"("say \"a\"")");
  expect_default("str", R"('it\'s\n')", R"("it's\n")");
  expect_default("str?", "'a'", R"("a")");
}

}  // namespace
}  // namespace opgen::api::cpp
