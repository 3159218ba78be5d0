#include "opgen/emit/functionalization_view.h"

#include <string>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

struct View {
  explicit View(std::string_view schema)
      : view(api::function_of(schema)),
        copy(api::function_of("t_copy(Tensor self, int dim) -> Tensor")),
        inplace(
            api::function_of("t_(Tensor(a!) self, int dim) -> Tensor(a!)")) {
    inplace->tags = {"inplace_view"};
    group.view = view.get();
    group.view_copy = copy.get();
    group.view_inplace = inplace.get();
  }

  std::unique_ptr<model::NativeFunction> view;
  std::unique_ptr<model::NativeFunction> copy;
  std::unique_ptr<model::NativeFunction> inplace;
  model::NativeFunctionsViewGroup group;
};

TEST(FunctionalizationView, calls_the_view_or_its_copy) {
  const View t("t(Tensor(a) self, int dim) -> Tensor(a)");
  const std::string text = emit_view_functionalization_body(t.group, false);
  EXPECT_TRUE(text.starts_with(
      "\n    at::Tensor t(c10::DispatchKeySet dispatchKeySet, const at::Tensor "
      "& self, int64_t dim) {\n"))
      << text;
  EXPECT_NE(text.find("        if (reapply_views) {\n"
                      "          tmp_output = at::_ops::t::call(self_, dim);\n"
                      "        } else {\n"
                      "          tmp_output = at::_ops::t_copy::call(self_, "
                      "dim);\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("auto view_meta = "
                      "std::make_shared<at::functionalization::t_ViewMeta>("
                      "has_symbolic_inputs, reapply_views, "
                      "inverse_return_mode, dim);"),
            std::string::npos)
      << text;
}

TEST(FunctionalizationView, inplace_views_mutate_their_meta) {
  const View t("t(Tensor(a) self, int dim) -> Tensor(a)");
  const std::string text = emit_view_functionalization_body(t.group, true);
  EXPECT_NE(text.find("at::functionalization::impl::mutate_view_meta(self, "
                      "view_meta);"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("tmp_output"), std::string::npos);
}

TEST(FunctionalizationView, the_first_argument_and_no_other_is_aliased) {
  const View nothing("t(Tensor self, int dim) -> Tensor");
  EXPECT_THROW(emit_view_functionalization_body(nothing.group, false),
               api::ApiError);
  const View both("t(Tensor(a) self, Tensor(b) dim) -> Tensor(a)");
  EXPECT_THROW(emit_view_functionalization_body(both.group, false),
               api::ApiError);
  const View list("t(Tensor(a)[] self, int dim) -> Tensor(a)");
  EXPECT_THROW(emit_view_functionalization_body(list.group, false),
               api::ApiError);
}

}  // namespace
}  // namespace opgen::emit
