#include "opgen/model/selective_builder.h"

#include <gtest/gtest.h>

namespace opgen::model {
namespace {

NativeFunction function_named(std::string base, std::string overload) {
  NativeFunction f;
  f.namespace_ = "aten";
  f.func.name.name.base = std::move(base);
  f.func.name.overload_name = std::move(overload);
  return f;
}

TEST(SelectiveBuilder, SelectsEverythingByDefault) {
  const auto selector = SelectiveBuilder::get_nop_selector();
  EXPECT_TRUE(selector.is_operator_selected("aten::add"));
  EXPECT_TRUE(selector.is_native_function_selected(function_named("add", "")));
  EXPECT_TRUE(selector.is_operator_selected_for_training("aten::add"));
  EXPECT_TRUE(selector.is_native_function_selected_for_training(
      function_named("add", "Tensor")));
  EXPECT_TRUE(selector.is_root_operator("aten::add"));
  EXPECT_TRUE(selector.is_kernel_dtype_selected("add_kernel", "float"));
}

TEST(SelectiveBuilder, SelectsAllOverloadsOfAnAllowList) {
  const auto selector =
      SelectiveBuilder::from_legacy_op_registration_allow_list(
          {"aten::add", "aten::mul.Tensor"}, true, false);
  EXPECT_TRUE(
      selector.is_native_function_selected(function_named("add", "Tensor")));
  EXPECT_TRUE(selector.is_operator_selected("aten::mul.Tensor"));
  EXPECT_FALSE(selector.is_operator_selected("aten::mul.Scalar"));
  EXPECT_FALSE(selector.is_operator_selected("aten::mul"));
  EXPECT_FALSE(selector.is_operator_selected("add"));
  EXPECT_TRUE(selector.is_root_operator("aten::add.Tensor"));
  EXPECT_FALSE(selector.is_operator_selected_for_training("aten::add"));
  EXPECT_TRUE(selector.is_kernel_dtype_selected("add_kernel", "float"));
}

TEST(SelectiveBuilder, SelectsNothingOfAnEmptyAllowList) {
  const auto selector =
      SelectiveBuilder::from_legacy_op_registration_allow_list({}, true, true);
  EXPECT_FALSE(selector.is_operator_selected("aten::add"));
}

TEST(SelectiveBuilder, TellsOverloadsApart) {
  SelectiveBuilder selector;
  selector.operators["aten::add"] = {true, true, false};
  selector.operators["aten::mul"] = {false, true, true};
  selector.operators["aten::mul.Tensor"] = {true, false, false};
  EXPECT_TRUE(selector.is_operator_selected("aten::add"));
  EXPECT_FALSE(selector.is_operator_selected("aten::add.Tensor"));
  EXPECT_FALSE(selector.is_operator_selected_for_training("aten::add.Tensor"));
  EXPECT_TRUE(selector.is_operator_selected_for_training("aten::mul.Tensor"));
  EXPECT_TRUE(selector.is_root_operator("aten::mul.Tensor"));
  EXPECT_FALSE(selector.is_root_operator("aten::mul.Scalar"));
}

TEST(SelectiveBuilder, SelectsTypesOfKernels) {
  SelectiveBuilder selector;
  selector.kernel_metadata["add_kernel"] = {"float"};
  EXPECT_TRUE(selector.is_kernel_dtype_selected("add_kernel", "float"));
  EXPECT_FALSE(selector.is_kernel_dtype_selected("add_kernel", "int"));
  EXPECT_FALSE(selector.is_kernel_dtype_selected("mul_kernel", "float"));
}

}  // namespace
}  // namespace opgen::model
