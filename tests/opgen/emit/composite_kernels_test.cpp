#include "opgen/emit/composite_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

TEST(CompositeKernels, operators_of_the_yaml_have_none) {
  const AddVariants add;
  EXPECT_EQ(gen_composite_functional_kernel(add.group), std::nullopt);
  EXPECT_EQ(gen_composite_out_kernel(add.group), std::nullopt);
}

TEST(CompositeKernels, functional_clones_what_is_written_to) {
  Variants v("f_functional(Tensor self, Tensor s) -> (Tensor, Tensor s_out)",
             "f.out(Tensor self, Tensor(b!) s, *, Tensor(a!) out) -> "
             "Tensor(a!)");
  v.functions[0]->tags = {"generated"};
  v.group.mutable_ = v.add("f(Tensor self, Tensor(a!) s) -> Tensor");
  EXPECT_EQ(gen_composite_functional_kernel(v.group), R"text(
::std::tuple<at::Tensor,at::Tensor> f_functional(const at::Tensor & self, const at::Tensor & s) {
  auto s_clone = clone_arg(s);
  auto output = at::_ops::f::call(self, const_cast<Tensor&>(s_clone));
  return ::std::tuple<at::Tensor,at::Tensor>(output, s_clone);
}
)text");
}

TEST(CompositeKernels, functional_is_made_from_a_function_of_the_yaml) {
  const AddVariants add;
  add.functions[0]->tags = {"generated"};
  add.functions[2]->tags = {"generated"};
  EXPECT_THROW(gen_composite_functional_kernel(add.group), EmitError);
}

TEST(CompositeKernels, out_resizes_and_copies) {
  const Variants v(
      "f(Tensor self, SymInt a) -> (Tensor, Tensor)",
      "f.out(Tensor self, SymInt a, *, Tensor(a!) out0, Tensor(b!) out1) -> "
      "(Tensor(a!), Tensor(b!))");
  v.functions[1]->tags = {"generated"};
  EXPECT_EQ(gen_composite_out_kernel(v.group), R"text(
::std::tuple<at::Tensor &,at::Tensor &> f_out_symint(const at::Tensor & self, c10::SymInt a, at::Tensor & out0, at::Tensor & out1) {
  auto tmp_output = at::_ops::f::call(self, a);
    resize_out_helper(out0, std::get<0>(tmp_output));
  copy_arg(out0, std::get<0>(tmp_output));
  resize_out_helper(out1, std::get<1>(tmp_output));
  copy_arg(out1, std::get<1>(tmp_output));
  return ::std::tuple<at::Tensor &,at::Tensor &>(out0, out1);
}
)text");
}

TEST(CompositeKernels, returns_match_their_names) {
  const auto none = api::function_of("f() -> ()");
  EXPECT_EQ(return_str(none->func.returns, {}, {}), "");
  const Texts one{"x"};
  EXPECT_THROW(return_str(none->func.returns, one, {}), api::ApiError);
  const auto tensor = api::function_of("f() -> Tensor");
  EXPECT_EQ(return_str(tensor->func.returns, one, {}), "return x;");
}

TEST(CompositeKernels, gathers_returns_that_alias_nothing) {
  const auto gather = [](std::string_view schema) {
    return gather_nonaliased_inner_rets(api::function_of(schema)->func, "r");
  };
  EXPECT_THAT(gather("f_(Tensor(a!) self) -> Tensor(a!)"),
              ::testing::IsEmpty());
  EXPECT_THAT(gather("f(Tensor(a!) a) -> Tensor"), ::testing::ElementsAre("r"));
  EXPECT_THAT(gather("f(Tensor(a!) a) -> (Tensor, int)"),
              ::testing::ElementsAre("std::get<0>(r)", "std::get<1>(r)"));
}

}  // namespace
}  // namespace opgen::emit
