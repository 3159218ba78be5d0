#include "opgen/emit/aoti_c_shim_types.h"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/text/python_text.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

// "C parameters | expression" of an argument `x`.
std::string converted(std::string_view schema_type, bool is_write = false) {
  const auto c =
      convert_arg_type_and_name(api::type_of(schema_type), "x", is_write);
  if (!c) {
    return "none";
  }
  std::string text;
  for (std::size_t i = 0; i < c->c_types.size(); ++i) {
    text += (i == 0 ? "" : ", ") + c->c_types[i] + " " + c->names[i];
  }
  return text + " | " + c->callsite_expr;
}

TEST(ShimTypes, base_types) {
  EXPECT_EQ(converted("Tensor"),
            "AtenTensorHandle x | resolve_tensor_dispatch_flags(x)");
  EXPECT_EQ(converted("Tensor", true),
            "AtenTensorHandle x | *tensor_handle_to_tensor_pointer(x)");
  EXPECT_EQ(converted("Scalar"), "double x | x");
  EXPECT_EQ(converted("Layout"), "int32_t x | static_cast<c10::Layout>(x)");
  EXPECT_EQ(converted("Device"),
            "int32_t x, int32_t x_index_ | "
            "c10::Device(static_cast<c10::DeviceType>(x), "
            "static_cast<c10::DeviceIndex>(x_index_))");
  EXPECT_EQ(converted("Storage"), "none");
}

TEST(ShimTypes, optional_types) {
  EXPECT_EQ(converted("Tensor?"),
            "AtenTensorHandle* x | resolve_tensor_dispatch_flags(x)");
  EXPECT_EQ(converted("int?"), "int64_t* x | pointer_to_optional<int64_t>(x)");
  EXPECT_EQ(converted("SymInt[]?"),
            "const int64_t** x, int64_t x_len_ | "
            "pointer_to_optional_list<c10::SymInt>(x, x_len_)");
  EXPECT_EQ(
      converted("Device?"),
      "int32_t* x, int32_t x_index_ | pointer_to_optional_device(x, x_index_)");
  EXPECT_EQ(converted("Storage?"), "none");
}

TEST(ShimTypes, list_types) {
  EXPECT_EQ(converted("int[2]"),
            "const int64_t* x, int64_t x_len_ | pointer_to_list<int64_t>(x, "
            "x_len_)");
  EXPECT_EQ(converted("bool[3]"),
            "const int32_t* x, int64_t x_len_ | pointer_to_list<3>(x)");
  EXPECT_EQ(converted("Tensor[]"),
            "const AtenTensorHandle* x, int64_t x_len_ | "
            "resolve_tensor_list_dispatch_flags(x, x_len_)");
  EXPECT_EQ(converted("Tensor[]", true),
            "const AtenTensorHandle* x, int64_t x_len_ | "
            "pointer_to_list<at::Tensor>(x, x_len_)");
  EXPECT_EQ(converted("Tensor?[]"),
            "const AtenTensorHandle** x, int64_t x_len_ | "
            "c10::List<::std::optional<at::Tensor>>(c10::ArrayRef<::std::"
            "optional<at::Tensor>>(resolve_tensor_list_dispatch_flags(x, "
            "x_len_)))");
  EXPECT_EQ(converted("Storage[]"), "none");
  EXPECT_THROW(converted("bool[]"), api::ApiError);
  EXPECT_THROW(converted("Device[]"), api::ApiError);
}

TEST(ShimTypes, skipped_arguments_have_their_default) {
  const auto f =
      api::function_of("f(Tensor a, bool b=False, int? c) -> Tensor");
  std::vector<const model::Argument*> arguments;
  for (const auto& a : f->func.arguments.flat_all()) {
    arguments.push_back(&a);
  }
  const auto made = gen_arguments(arguments, {"b", "c"});
  ASSERT_TRUE(made);
  EXPECT_THAT(made->declarations, ::testing::ElementsAre("AtenTensorHandle a"));
  EXPECT_THAT(made->callsite_exprs,
              ::testing::ElementsAre(
                  "resolve_tensor_dispatch_flags(a)", "false", "std::nullopt"));
}

TEST(ShimTypes, results_are_assigned) {
  const auto f = api::function_of("f() -> (Tensor, SymInt, Scalar, int)");
  const auto made = gen_returns(f->func);
  ASSERT_TRUE(made);
  EXPECT_EQ(text::join(", ", made->declarations),
            "AtenTensorHandle* ret0, int64_t* ret1, double* ret2, int64_t* "
            "ret3");
  EXPECT_EQ(text::join("\n", made->callsite_exprs),
            "*ret0 = new_tensor_handle(std::move(std::get<0>(tmp_result)));\n"
            "*ret1 = std::get<1>(tmp_result).expect_int();\n"
            "*ret2 = std::get<2>(tmp_result).toDouble();\n"
            "*ret3 = std::get<3>(tmp_result);");
  EXPECT_EQ(gen_returns(api::function_of("f() -> Tensor[]")->func),
            std::nullopt);
}

TEST(ShimTypes, some_results_may_be_null) {
  const auto f = api::function_of("linear_backward() -> int");
  EXPECT_THAT(gen_returns(f->func)->callsite_exprs,
              ::testing::ElementsAre("if (ret0) { *ret0 = tmp_result; }"));
}

}  // namespace
}  // namespace opgen::emit
