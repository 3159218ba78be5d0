#include "opgen/emit/composite_kernels_view_copy.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

struct ViewAndCopy {
  ViewAndCopy(std::string_view view_schema,
              std::string_view copy_schema,
              const std::string& kernel)
      : view(api::function_of(view_schema)),
        copy(api::function_of(copy_schema)) {
    group.view = view.get();
    group.view_copy = copy.get();
    index =
        index_of(model::DispatchKey::kCompositeExplicitAutogradNonFunctional);
    if (!kernel.empty()) {
      index.add(*copy, {.kernel = kernel, .cpp_namespace = "at::native"});
    }
  }

  std::optional<std::string> kernel() const {
    return gen_composite_view_copy_kernel(group, index);
  }

  std::unique_ptr<model::NativeFunction> view;
  std::unique_ptr<model::NativeFunction> copy;
  model::NativeFunctionsViewGroup group;
  model::BackendIndex index;
};

TEST(CompositeViewCopy, clones_the_view) {
  const ViewAndCopy t("t(Tensor(a) self, SymInt d) -> Tensor(a)",
                      "t_copy(Tensor self, SymInt d) -> Tensor",
                      "t_copy_symint");
  EXPECT_EQ(t.kernel(), R"text(
at::Tensor t_copy_symint(const at::Tensor & self, c10::SymInt d) {
  auto output = at::_ops::t::call(self, d);
    return output.clone(/*memory_format=*/at::MemoryFormat::Contiguous);
}
)text");
}

TEST(CompositeViewCopy, clones_each_element_of_a_list) {
  const ViewAndCopy split("split(Tensor(a -> *) self) -> Tensor(a)[]",
                          "split_copy(Tensor self) -> Tensor[]",
                          "split_copy");
  EXPECT_EQ(split.kernel(), R"text(
::std::vector<at::Tensor> split_copy(const at::Tensor & self) {
  auto output = at::_ops::split::call(self);
    ::std::vector<at::Tensor> out_clone;
  for (const auto i : c10::irange(output.size())) {
    out_clone.push_back(output[i].clone(/*memory_format=*/at::MemoryFormat::Contiguous));
  }
  return out_clone;
}
)text");
}

TEST(CompositeViewCopy, view_copy_is_special_and_needs_symint) {
  const ViewAndCopy view("view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
                         "view_copy(Tensor self, SymInt[] size) -> Tensor",
                         "view_copy_symint");
  EXPECT_TRUE(view.kernel()->starts_with("at::Tensor view_copy_symint("));
  const ViewAndCopy other("view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
                          "view_copy(Tensor self, SymInt[] size) -> Tensor",
                          "view_copy");
  EXPECT_THROW(other.kernel(), EmitError);
}

TEST(CompositeViewCopy, twins_of_another_name_are_written_by_hand) {
  ViewAndCopy slice("slice_inverse(Tensor(a) self) -> Tensor(a)",
                    "slice_scatter(Tensor self) -> Tensor",
                    "");
  EXPECT_EQ(slice.kernel(), std::nullopt);
  slice.group.view_copy = nullptr;
  EXPECT_EQ(slice.kernel(), std::nullopt);
}

TEST(CompositeViewCopy, a_missing_kernel_and_other_results_are_errors) {
  const ViewAndCopy missing(
      "t(Tensor(a) self) -> Tensor(a)", "t_copy(Tensor self) -> Tensor", "");
  EXPECT_THROW(missing.kernel(), EmitError);
  const ViewAndCopy two("t(Tensor(a) self) -> (Tensor(a), Tensor(a))",
                        "t_copy(Tensor self) -> (Tensor, Tensor)",
                        "t_copy");
  EXPECT_THROW(two.kernel(), EmitError);
}

}  // namespace
}  // namespace opgen::emit
