#include "opgen/emit/functionalization_arguments.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_text.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

std::vector<api::Binding> arguments_of(const model::NativeFunction& f,
                                       api::Locals locals = {}) {
  return api::DispatcherSignature::from_schema(f.func, locals).arguments();
}

TEST(FunctionalizationArguments, unwraps_tensors_only) {
  const auto f = api::function_of("f(Tensor self, int a) -> Tensor");
  const auto unwrapped = unwrap_tensor_args(arguments_of(*f), false);
  EXPECT_EQ(unwrapped.statements, R"text(
      at::Tensor self_;
      if (at::functionalization::impl::isFunctionalTensor(self)) {
        at::functionalization::impl::sync(self);
        self_ = at::functionalization::impl::from_functional_tensor(self);
      } else {
        self_ = self;
      })text");
  EXPECT_EQ(join_names(unwrapped.context), "self_, a");
}

TEST(FunctionalizationArguments, views_do_not_sync) {
  const auto f = api::function_of("f(Tensor(a) self) -> Tensor(a)");
  const auto unwrapped = unwrap_tensor_args(arguments_of(*f), true);
  EXPECT_EQ(unwrapped.statements.find("sync"), std::string::npos);
}

TEST(FunctionalizationArguments, lists_become_vectors) {
  const auto f = api::function_of("f(Tensor[] tensors) -> Tensor");
  EXPECT_NE(unwrap_tensor_args(arguments_of(*f), false)
                .statements.find("tensors_ = tensors.vec();"),
            std::string::npos);
  const api::Locals ilistref{.use_ilistref_for_tensor_lists = true};
  EXPECT_NE(
      unwrap_tensor_args(arguments_of(*f, ilistref), false)
          .statements.find("tensors_ = {tensors.begin(), tensors.end()};"),
      std::string::npos);
}

TEST(FunctionalizationArguments, makes_meta_tensors) {
  const auto f = api::function_of("f(Tensor self, int a, Tensor? b) -> Tensor");
  const auto meta = convert_to_meta_tensors(arguments_of(*f));
  EXPECT_EQ(meta.statements,
            "auto self_meta = to_meta(self);\n"
            "        auto b_meta = to_meta(b);");
  EXPECT_EQ(join_names(meta.context), "self_meta, a, b_meta");
}

TEST(FunctionalizationArguments, wrapper_names_carry_the_overload) {
  EXPECT_EQ(wrapper_name(api::function_of("f(Tensor a) -> Tensor")->func), "f");
  EXPECT_EQ(wrapper_name(api::function_of("f.x_out(Tensor a, *, Tensor(a!) "
                                          "out) -> Tensor(a!)")
                             ->func),
            "f_out_x_out");
}

}  // namespace
}  // namespace opgen::emit
