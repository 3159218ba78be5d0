#include "opgen/emit/functionalization_mutation.h"

#include <string>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(FunctionalizationMutation, inplace_checks_meta_and_propagates) {
  const AddVariants add;
  const std::string text =
      emit_inplace_functionalization_body(*add.group.inplace, add.group);
  expect_contains(text,
                  "at::Tensor & add_(c10::DispatchKeySet dispatchKeySet, "
                  "at::Tensor & self, const at::Tensor & other) {");
  expect_contains(text, "if (true && !disable_meta_reference()) {");
  expect_contains(text, "at::_ops::add_::call(self_meta, other_meta);");
  expect_contains(text,
                  "if (!(true && "
                  "at::functionalization::impl::isFunctionalTensor(self))) {");
  expect_contains(text,
                  "if (!(false || other.device().type() == "
                  "c10::DeviceType::XLA) && (false || "
                  "at::functionalization::impl::isFunctionalTensor(other)))");
  expect_contains(text, "tmp_output = at::_ops::add::call(self_, other_);");
  expect_contains(text,
                  "  at::functionalization::impl::replace_(self, tmp_output);");
  expect_contains(text, "    return self;");
}

TEST(FunctionalizationMutation, out_does_not_run_meta) {
  const AddVariants add;
  expect_contains(
      emit_inplace_functionalization_body(*add.group.out, add.group),
      "if (false && !disable_meta_reference()) {");
}

TEST(FunctionalizationMutation, fresh_results_are_wrapped) {
  Variants v(
      "f_functional(Tensor self, Tensor s) -> (Tensor, Tensor s_out)",
      "f.out(Tensor self, Tensor(b!) s, *, Tensor(a!) out) -> Tensor(a!)");
  v.group.mutable_ = v.add("f(Tensor self, Tensor(a!) s) -> Tensor");
  const std::string text =
      emit_inplace_functionalization_body(*v.group.mutable_, v.group);
  expect_contains(text,
                  "auto output_0 = at::functionalization::impl::"
                  "to_functional_tensor(std::get<0>(tmp_output));");
  expect_contains(text, "replace_(s, std::get<1>(tmp_output));");
  expect_contains(text, "    return output_0;");
}

TEST(FunctionalizationMutation, cumulative_operators_keep_the_type_of_out) {
  const Variants v(
      "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
      "cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, "
      "Tensor(a!) out) -> Tensor(a!)");
  expect_contains(
      emit_inplace_functionalization_body(*v.group.out, v.group),
      "at::_ops::cumsum::call(self_, dim, dtype.has_value() ? dtype : "
      "std::optional<at::ScalarType>(out_.scalar_type()));");
}

TEST(FunctionalizationMutation, refuses_variants_that_do_not_fit) {
  const Variants two_results(
      "f(Tensor self) -> (Tensor, Tensor)",
      "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_THROW(emit_inplace_functionalization_body(*two_results.group.out,
                                                   two_results.group),
               api::ApiError);
  EXPECT_THROW(emit_inplace_functionalization_body(
                   *two_results.group.functional, two_results.group),
               api::ApiError);
}

}  // namespace
}  // namespace opgen::emit
