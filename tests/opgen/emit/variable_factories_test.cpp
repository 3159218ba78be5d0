#include "opgen/emit/variable_factories.h"

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using api::function_of;

TEST(VariableFactories, qualifies_names_without_a_namespace) {
  EXPECT_EQ(fully_qualified_type("Tensor"), "at::Tensor");
  EXPECT_EQ(fully_qualified_type("const Tensor &"), "const at::Tensor &");
  EXPECT_EQ(fully_qualified_type("const at::Tensor &"), "const at::Tensor &");
  EXPECT_EQ(fully_qualified_type("std::optional<Generator>"),
            "std::optional<at::Generator>");
  EXPECT_EQ(fully_qualified_type("::std::optional<Generator>"),
            "::std::optional<Generator>");
  EXPECT_EQ(fully_qualified_type("int64_t"), "int64_t");
  EXPECT_EQ(fully_qualified_type("constTensor"), "constTensor");
  EXPECT_EQ(fully_qualified_type("T"), "T");
  EXPECT_EQ(fully_qualified_type(""), "");
}

TEST(VariableFactories, knows_factories_by_options_or_name) {
  const auto options = function_of(
      "ones(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None) -> Tensor");
  EXPECT_TRUE(is_factory_function(*options));
  EXPECT_TRUE(is_factory_function(*function_of("a_like(Tensor x) -> Tensor")));
  EXPECT_FALSE(is_factory_function(*function_of("a_lik(Tensor x) -> Tensor")));
  options->function_variant = false;
  EXPECT_FALSE(is_factory_function(*options));
}

TEST(VariableFactories, makes_one_factory_for_each_kind_of_int) {
  const auto f = function_of(
      "ones(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None) -> Tensor");
  EXPECT_EQ(
      variable_factory(*f),
      R"(inline at::Tensor ones(int64_t n, at::TensorOptions options = {}) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return autograd::make_variable(at::ones(n, at::TensorOptions(options).requires_grad(::std::nullopt)), /*requires_grad=*/options.requires_grad());
}
inline at::Tensor ones_symint(c10::SymInt n, at::TensorOptions options = {}) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return autograd::make_variable(at::ones_symint(n, at::TensorOptions(options).requires_grad(::std::nullopt)), /*requires_grad=*/options.requires_grad());
}
)");
}

TEST(VariableFactories, requires_no_gradients_without_options) {
  EXPECT_EQ(variable_factory(*function_of("a_like(Tensor x) -> Tensor")),
            R"(inline at::Tensor a_like(const at::Tensor & x) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return autograd::make_variable(at::a_like(x), /*requires_grad=*/false);
}
)");
}

}  // namespace
}  // namespace opgen::emit
