#include "opgen/emit/vmap_plumbing.h"

#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

std::optional<std::string> plumbing_of(std::string_view schema) {
  return gen_vmap_plumbing(*api::function_of(schema));
}

TEST(VmapPlumbing, wraps_results) {
  EXPECT_EQ(plumbing_of("f(Tensor self, Tensor? b, int c) -> (Tensor, "
                        "Tensor[])"),
            R"text(template <typename batch_rule_t, batch_rule_t batch_rule>
::std::tuple<at::Tensor,::std::vector<at::Tensor>> f_generated_plumbing(const at::Tensor & self, const ::std::optional<at::Tensor> & b, int64_t c) {
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  vmap_check_escaped(maybe_layer, "gen_vmap_plumbing");
  int64_t cur_level = maybe_layer->layerId();
  if (!isBatchedAtLevel(self, cur_level) && !isBatchedAtLevel(b, cur_level)) {
    return at::_ops::f::call(self, b, c);
  }
  auto [self_value, self_bdim] = unwrapTensorAtLevel(self, cur_level);
  std::optional<Tensor> b_value;
  std::optional<int64_t> b_bdim;
  if (b) {
      std::tie(b_value, b_bdim) = unwrapTensorAtLevel(b.value(), cur_level);
  }
  auto results = batch_rule(self_value, self_bdim, b_value, b_bdim, c);
  return std::make_tuple(makeBatched(std::get<0>(results), std::get<1>(results), cur_level), makeBatchedVector(std::get<2>(results), std::get<3>(results), cur_level));
})text");
}

TEST(VmapPlumbing, inplace_returns_self) {
  const auto text = plumbing_of("f_(Tensor(a!) self) -> Tensor(a!)");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->ends_with(
      "  batch_rule(self_value, self_bdim);\n  return self;\n}"))
      << *text;
}

TEST(VmapPlumbing, no_results_are_not_wrapped) {
  const auto text = plumbing_of("f(Tensor[] a) -> ()");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->ends_with("  }\n\n  batch_rule(a);\n}")) << *text;
}

TEST(VmapPlumbing, sizes_are_returned_where_they_are_known_to_be) {
  constexpr std::string_view kRest = "(Tensor a) -> (Tensor, SymInt)";
  EXPECT_EQ(plumbing_of("f" + std::string(kRest)), std::nullopt);
  const auto text =
      plumbing_of("_scaled_dot_product_flash_attention" + std::string(kRest));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("cur_level), std::get<2>(results));"),
            std::string::npos);
}

TEST(VmapPlumbing, others_have_none) {
  EXPECT_EQ(plumbing_of("f(int a) -> Tensor"), std::nullopt);
  EXPECT_EQ(plumbing_of("f.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)"),
            std::nullopt);
  EXPECT_EQ(plumbing_of("f(Tensor a, Tensor(a!) b) -> Tensor"), std::nullopt);
  EXPECT_EQ(plumbing_of("f_(Tensor(a!) self, Tensor(b!) b) -> Tensor(a!)"),
            std::nullopt);
  const auto view = api::function_of("t_(Tensor(a!) self) -> Tensor(a!)");
  view->tags = {"inplace_view"};
  EXPECT_EQ(gen_vmap_plumbing(*view), std::nullopt);
}

TEST(VmapPlumbing, the_header_holds_them_in_order) {
  std::vector<std::unique_ptr<model::NativeFunction>> functions;
  functions.push_back(api::function_of("b(Tensor a) -> Tensor"));
  functions.push_back(api::function_of("n(int a) -> int"));
  functions.push_back(api::function_of("a(Tensor a) -> Tensor"));
  EXPECT_EQ(gen_all_vmap_plumbing(functions),
            "\n#pragma once\n#include <ATen/Operators.h>\n"
            "#include <ATen/functorch/PlumbingHelper.h>\n\n"
            "namespace at { namespace functorch {\n\n" +
                *gen_vmap_plumbing(*functions[0]) + "\n" +
                *gen_vmap_plumbing(*functions[2]) +
                "\n\n}} // namespace at::functorch\n");
}

}  // namespace
}  // namespace opgen::emit
