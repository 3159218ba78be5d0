#include "opgen/emit/functionalization_symbolic.h"

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/api/types/signatures.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

TEST(FunctionalizationSymbolic, asks_each_kind_of_symint) {
  EXPECT_EQ(emit_expr_has_symbolic_values("a", api::kSymIntT),
            "a.is_symbolic()");
  EXPECT_EQ(
      emit_expr_has_symbolic_values("a", api::CType::optional(api::kSymIntT)),
      "a.has_value() ? (*a).is_symbolic() : false");
  EXPECT_EQ(emit_expr_has_symbolic_values("a", api::kSymIntArrayRefT),
            "std::any_of(a.begin(), a.end(), [=](auto& arg) { return "
            "arg.is_symbolic(); })");
  EXPECT_EQ(
      emit_expr_has_symbolic_values("a", api::kOptionalSymIntArrayRefT),
      "a.has_value() ? std::any_of((*a).begin(), (*a).end(), [=](auto& arg) { "
      "return arg.is_symbolic(); }) : false");
}

TEST(FunctionalizationSymbolic, refuses_other_types) {
  EXPECT_THROW(emit_expr_has_symbolic_values("a", api::kTensorT),
               api::ApiError);
}

TEST(FunctionalizationSymbolic, sets_the_flag_for_each_argument) {
  const auto f = api::function_of(
      "f(Tensor(a) self, SymInt a, int b, SymInt c) -> Tensor(a)");
  EXPECT_EQ(
      emit_has_symbolic_inputs(
          api::DispatcherSignature::from_schema(f->func, {}).arguments()),
      "\n      bool has_symbolic_inputs = false;\n"
      "      has_symbolic_inputs = has_symbolic_inputs | (a.is_symbolic());\n"
      "      has_symbolic_inputs = has_symbolic_inputs | (c.is_symbolic());");
}

}  // namespace
}  // namespace opgen::emit
