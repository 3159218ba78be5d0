#include "opgen/emit/inplace_or_view_type.h"

#include <string>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/emit/inplace_or_view_type_view.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using api::function_of;

TEST(InplaceOrViewType, counts_versions_of_what_is_written) {
  const auto f = function_of("abs_(Tensor(a!) self) -> Tensor(a!)");
  ASSERT_TRUE(has_inplace_or_view_wrapper(*f));
  EXPECT_EQ(inplace_or_view_method_definition(*f, nullptr),
            R"(at::Tensor & abs_(c10::DispatchKeySet ks, at::Tensor & self) {
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::abs_::redispatch(ks & c10::after_ADInplaceOrView_keyset, self);
  }
  increment_version(self);
  return self;
}
)");
}

TEST(InplaceOrViewType, leaves_out_what_neither_views_nor_returns_its_output) {
  EXPECT_FALSE(has_inplace_or_view_wrapper(
      *function_of("_foreach_abs_(Tensor(a!)[] self) -> ()")));
  EXPECT_FALSE(
      has_inplace_or_view_wrapper(*function_of("abs(Tensor self) -> Tensor")));
  EXPECT_TRUE(has_inplace_or_view_wrapper(
      *function_of("t(Tensor(a) self) -> Tensor(a)")));
}

TEST(InplaceOrViewType, replays_a_view_with_copies_of_its_lists) {
  const auto f =
      function_of("view(Tensor(a) self, SymInt[] size, int? n) -> Tensor(a)");
  const std::string text = inplace_or_view_method_definition(*f, nullptr);
  EXPECT_NE(text.find(R"(
    auto size_vec = size.vec();
    auto n_val = n.value_or(0);
    func = std::make_unique<torch::autograd::generated::ViewViewFunc>(size, n);
    rev_func = [=](const at::Tensor& input_view) {
      return at::functionalization::FunctionalInverses::view_inverse(self, input_view, at::functionalization::InverseReturnMode::AlwaysView, size_vec, n_val);
    };
  }
  auto result = as_view(/* base */ self, /* output */ _tmp, )"),
            std::string::npos)
      << text;
}

TEST(InplaceOrViewType, replays_each_view_of_a_list) {
  const auto f = function_of("unbind(Tensor(a -> *) self) -> Tensor(a)[]");
  const std::string text = inplace_or_view_method_definition(*f, nullptr);
  EXPECT_NE(text.find(R"(
  for (auto view_idx : c10::irange(_tmp.size())) {
    std::unique_ptr<torch::autograd::ViewFunc> func(nullptr);
)"),
            std::string::npos);
  EXPECT_NE(text.find("AlwaysView, view_idx);"), std::string::npos);
  EXPECT_NE(text.find("  auto result = std::move(_tmp);\n"), std::string::npos);
}

TEST(InplaceOrViewType, does_not_replay_what_has_no_derivative) {
  const auto f = function_of("indices(Tensor(a) self) -> Tensor(a)");
  DerivativeInfo info;
  info.key = "Default";
  info.output_differentiability = {false};
  const DerivativeInfos infos{f.get(), {info}};
  EXPECT_NE(
      inplace_or_view_method_definition(*f, &infos)
          .find("  auto result = as_view(self, _tmp, /* is_bw_differentiable "
                "*/ false, /* is_fw_differentiable */ false);\n"),
      std::string::npos);
}

TEST(InplaceOrViewType, rejects_views_that_cannot_be_replayed) {
  const auto scalar =
      function_of("view(Tensor(a) self, Scalar x) -> Tensor(a)");
  EXPECT_THROW(inplace_or_view_method_definition(*scalar, nullptr),
               api::ApiError);
  const auto two = function_of("view(Tensor self) -> (Tensor, Tensor)");
  EXPECT_THROW(inplace_or_view_method_definition(*two, nullptr), api::ApiError);
  const auto number = function_of("view(Tensor self) -> int");
  EXPECT_NO_THROW(inplace_or_view_method_definition(*number, nullptr));
  DerivativeInfo info;
  info.key = "AutogradCUDA";
  const DerivativeInfos infos{number.get(), {info}};
  EXPECT_THROW(inplace_or_view_method_definition(*number, &infos),
               api::ApiError);
}

TEST(InplaceOrViewType, names_classes_in_camel_case) {
  const auto name = [](const char* schema) {
    return view_func_name(*function_of(schema));
  };
  EXPECT_EQ(name("as_strided(Tensor self) -> Tensor"),
            "torch::autograd::generated::AsStridedViewFunc");
  EXPECT_EQ(name("_a.B2cD(Tensor self) -> Tensor"),
            "torch::autograd::generated::_AB2CdViewFunc");
}

}  // namespace
}  // namespace opgen::emit
