#include "opgen/emit/view_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Split {
  std::unique_ptr<model::NativeFunction> view = api::function_of(
      "split(Tensor(a -> *) self, SymInt size, int dim=0) -> "
      "Tensor(a)[]");
  std::unique_ptr<model::NativeFunction> copy = api::function_of(
      "split_copy(Tensor self, SymInt size, int dim=0) -> Tensor[]");
  model::NativeFunctionsViewGroup group{view.get(), copy.get(), nullptr};
};

TEST(ViewMeta, declares_a_class_with_an_index_for_several_outputs) {
  const Split split;
  Texts out;
  gen_functionalization_view_meta_classes_decl(kEverything, split.group, out);
  ASSERT_THAT(out, SizeIs(1));
  EXPECT_EQ(out.front(), R"text(
struct TORCH_API split_ViewMeta : public ViewMeta {
  FUNCTIONALIZATION_VIEWMETA_NAME(split_ViewMeta)
  FUNCTIONALIZATION_VIEWMETA_SERIALIZABLE_TUPLE(
      bool /* has_symbolic_inputs */,
      int64_t /* out_index */,
      bool /* reapply_views */,
      at::functionalization::InverseReturnMode /* inverse_return_mode */,
      c10::SymInt /* size */,
      int64_t /* dim */);

  split_ViewMeta(const SerializableTuple& tpl)
      : split_ViewMeta(std::get<0>(tpl), std::get<1>(tpl), std::get<2>(tpl), std::get<3>(tpl), std::get<4>(tpl), std::get<5>(tpl)) {}

  split_ViewMeta(bool has_symbolic_inputs, int64_t out_index, bool reapply_views, at::functionalization::InverseReturnMode inverse_return_mode, c10::SymInt size, int64_t dim)
      : at::functionalization::ViewMeta(has_symbolic_inputs, /*is_multi_output=*/true, /*is_as_strided=*/false, /*out_index=*/out_index),
        reapply_views(reapply_views),
        inverse_return_mode(inverse_return_mode),
        size(size),
        dim(dim) {}

  Tensor forward(const Tensor& base) override;
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) override;
  std::shared_ptr<ViewMeta> to_out_index(int64_t out_idx) override;

  SerializableTuple to_serializable_tuple() {
    return std::make_tuple(has_symbolic_inputs, out_index, reapply_views, inverse_return_mode, size, dim);
  }

  bool reapply_views;
  at::functionalization::InverseReturnMode inverse_return_mode;
  c10::SymInt size;
  int64_t dim;
};
)text");
}

TEST(ViewMeta, defines_three_methods_for_several_outputs) {
  const Split split;
  Texts out;
  gen_functionalization_view_meta_classes_impl(kEverything, split.group, out);
  ASSERT_THAT(out, SizeIs(3));
  EXPECT_EQ(out[0], R"text(
at::Tensor split_ViewMeta::forward(const at::Tensor& base) {
  if (reapply_views) {
    return at::_ops::split::call(base, size, dim)[out_index];
  } else {
    return at::_ops::split_copy::call(base, size, dim)[out_index];
  }
})text");
  EXPECT_EQ(out[1], R"text(
at::Tensor split_ViewMeta::reverse(const at::Tensor& base, const Tensor& mutated_view) {
  return at::functionalization::FunctionalInverses::split_inverse(base, mutated_view, inverse_return_mode, out_index, size, dim);
})text");
  EXPECT_EQ(out[2], R"text(
std::shared_ptr<at::functionalization::ViewMeta> split_ViewMeta::to_out_index(int64_t out_index) {
  return std::make_shared<at::functionalization::split_ViewMeta>(has_symbolic_inputs, out_index, reapply_views, inverse_return_mode, size, dim);
}
)text");
}

TEST(ViewMeta, as_strided_says_so) {
  const auto view = api::function_of("as_strided(Tensor(a) self) -> Tensor(a)");
  const model::NativeFunctionsViewGroup group{view.get(), nullptr, nullptr};
  EXPECT_NE(ViewMetaSpecialization(group, *view)
                .decl()
                .find("/*is_as_strided=*/true, /*out_index=*/0)"),
            std::string::npos);
}

TEST(ViewMeta, views_in_place_have_a_class_of_their_own) {
  Split split;
  const auto inplace =
      api::function_of("split_(Tensor(a!) self, SymInt size) -> Tensor(a!)");
  split.group.view_inplace = inplace.get();
  Texts out;
  gen_functionalization_view_meta_classes_binding(
      kEverything, split.group, out);
  EXPECT_THAT(out,
              ::testing::ElementsAre(
                  "  create_binding_with_pickle<at::functionalization::"
                  "split_ViewMeta>(functionalization);",
                  "  create_binding_with_pickle<at::functionalization::"
                  "split__ViewMeta>(functionalization);"));
}

TEST(ViewMeta, composite_views_have_none) {
  const Split split;
  split.view->has_composite_implicit_autograd_kernel = true;
  Texts out;
  gen_functionalization_view_meta_classes_decl(kEverything, split.group, out);
  EXPECT_THAT(out, IsEmpty());
}

TEST(ViewMeta, errors_name_the_function) {
  Split split;
  split.group.view_copy = nullptr;
  Texts out;
  try {
    gen_functionalization_view_meta_classes_impl(kEverything, split.group, out);
    FAIL();
  } catch (const EmitError& error) {
    EXPECT_EQ(error.function, split.view.get());
  }
}

}  // namespace
}  // namespace opgen::emit
