#include "opgen/api/functionalization.h"

#include <memory>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/model/native_functions_group.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::functionalization {
namespace {

constexpr std::string_view kExpand =
    "expand(Tensor(a) self, SymInt[] size) -> Tensor(a)";
constexpr std::string_view kSplit =
    "split.Tensor(Tensor(a -> *) self, SymInt n) -> Tensor(a)[]";

TEST(ViewMeta, is_named_after_the_operator) {
  const auto f = function_of(kSplit);
  EXPECT_EQ(classname(f->func), "split_Tensor_ViewMeta");
  EXPECT_EQ(classname(f->func, /*with_namespace=*/true),
            "at::functionalization::split_Tensor_ViewMeta");
}

TEST(ViewMeta, knows_views_with_several_outputs) {
  EXPECT_FALSE(is_multi_output(function_of(kExpand)->func));
  EXPECT_TRUE(is_multi_output(function_of(kSplit)->func));
}

TEST(ViewMeta, takes_an_index_for_several_outputs) {
  EXPECT_EQ(decls_of(base_ctor_arguments(function_of(kExpand)->func)),
            "bool has_symbolic_inputs");
  EXPECT_EQ(decls_of(base_ctor_arguments(function_of(kSplit)->func)),
            "bool has_symbolic_inputs, int64_t out_index");
}

TEST(ViewMeta, owns_its_attributes) {
  const auto f = function_of(kExpand);
  EXPECT_EQ(decls_of(attributes(f->func, {})),
            "bool reapply_views, at::functionalization::InverseReturnMode "
            "inverse_return_mode, ::std::vector<c10::SymInt> size");
  EXPECT_EQ(decls_of(extra_ctor_arguments(f->func, {})),
            "bool reapply_views, at::functionalization::InverseReturnMode "
            "inverse_return_mode, c10::SymIntArrayRef size");
}

TEST(ViewOperation, takes_base_and_mutated_view) {
  const auto f = function_of(kSplit);
  EXPECT_EQ(decls_of(op_arguments(f->func, /*is_reverse=*/false, {})),
            "const at::Tensor & base, c10::SymInt n");
  EXPECT_EQ(decls_of(op_arguments(f->func, /*is_reverse=*/true, {})),
            "const at::Tensor & base, const at::Tensor & mutated_view, "
            "at::functionalization::InverseReturnMode inverse_return_mode, "
            "int64_t out_index, c10::SymInt n");
}

TEST(ViewOperation, is_the_view_its_copy_or_its_inverse) {
  const auto view = function_of(kExpand);
  const auto copy = function_of("expand_copy(Tensor self) -> Tensor");
  model::NativeFunctionsViewGroup g;
  g.view = view.get();
  g.view_copy = copy.get();
  EXPECT_EQ(name(g, {.include_namespace = true, .reapply_views = true}),
            "at::_ops::expand::call");
  EXPECT_EQ(name(g, {.include_namespace = true, .reapply_views = false}),
            "at::_ops::expand_copy::call");
  EXPECT_EQ(name(g, {.is_reverse = true, .include_namespace = true}),
            "at::functionalization::FunctionalInverses::expand_inverse");
  EXPECT_EQ(name(g, {.is_reverse = true}), "expand_inverse");
}

TEST(ViewOperation, must_take_and_return_tensors) {
  EXPECT_THROW(attributes(function_of("f() -> Tensor")->func, {}), ApiError);
  EXPECT_THROW(attributes(function_of("f(int a) -> Tensor")->func, {}),
               ApiError);
  EXPECT_THROW(returns_type(function_of("f(Tensor a) -> int")->func), ApiError);
  EXPECT_THROW(returns_type(function_of("f(Tensor a) -> ()")->func), ApiError);
}

}  // namespace
}  // namespace opgen::api::functionalization
