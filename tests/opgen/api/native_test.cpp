#include "opgen/api/native.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::api::native {
namespace {

void expect_arguments(std::string_view schema, std::string_view expected) {
  EXPECT_EQ(
      decls_of(arguments(function_of(schema)->func, /*symint=*/false, {})),
      expected);
}

TEST(NativeName, carries_out_and_overload) {
  EXPECT_EQ(name(function_of("f.x(Tensor a) -> Tensor")->func), "f_x");
  EXPECT_EQ(name(function_of("f.x(*, Tensor(a!) out) -> Tensor(a!)")->func),
            "f_out_x");
}

TEST(NativeArguments, have_defaults_unless_there_are_outputs) {
  expect_arguments("f(int a=1, Scalar? b=None) -> ()",
                   "int64_t a=1, const ::std::optional<at::Scalar> & "
                   "b=::std::nullopt");
  expect_arguments("f.out(int a=1, *, Tensor(a!) out) -> Tensor(a!)",
                   "int64_t a, at::Tensor & out");
}

TEST(NativeArguments, give_every_tensor_option_an_empty_default) {
  expect_arguments(
      "f(*, ScalarType? dtype=long, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None) -> Tensor",
      "::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> "
      "layout={}, ::std::optional<at::Device> device={}, "
      "::std::optional<bool> pin_memory={}");
}

TEST(NativeArguments, pass_a_mutable_optional_tensor_as_optional) {
  expect_arguments("f(Tensor(a!)? x) -> ()", "::std::optional<at::Tensor> & x");
}

TEST(NativeArguments, pass_it_const_where_the_locals_say_so) {
  const auto f = function_of("f(Tensor(a!)? x) -> ()");
  EXPECT_EQ(decls_of(arguments(f->func,
                               /*symint=*/false,
                               {.use_const_ref_for_mutable_tensors = true})),
            "const ::std::optional<at::Tensor> & x");
}

}  // namespace
}  // namespace opgen::api::native
