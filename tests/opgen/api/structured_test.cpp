#include "opgen/api/structured.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/model/native_function.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::structured {
namespace {

void expect_type(std::string_view type, std::string_view expected) {
  EXPECT_EQ(argumenttype_type(type_of(type), /*is_mutable=*/false)->cpp_type(),
            expected)
      << type;
}

const GroupOfTwo& group() {
  static const GroupOfTwo group(
      "f(Tensor self, int dim, Tensor? w) -> Tensor",
      "f.out(Tensor self, int dim, Tensor? w, *, Tensor(a!) out) -> "
      "Tensor(a!)");
  return group;
}

TEST(StructuredArgumentType, refers_to_optional_values) {
  expect_type("Tensor", "const at::Tensor &");
  expect_type("Tensor?", "at::OptionalTensorRef");
  expect_type("Scalar?", "at::OptionalScalarRef");
  expect_type("int[]?", "at::OptionalIntArrayRef");
  expect_type("float?", "::std::optional<double>");
}

TEST(StructuredArgumentType, maps_lists) {
  expect_type("Tensor[]", "const at::ITensorListRef &");
  expect_type("Tensor?[]", "at::IOptTensorListRef");
  expect_type("int[]", "at::IntArrayRef");
  expect_type("SymInt[]", "at::ArrayRef<int64_t>");
  expect_type("Dimname[]", "at::DimnameList");
}

TEST(StructuredArguments, split_into_meta_impl_and_out) {
  EXPECT_EQ(decls_of(meta_arguments(group().group)),
            "const at::Tensor & self, int64_t dim, at::OptionalTensorRef w");
  EXPECT_EQ(decls_of(impl_arguments(group().group)),
            "const at::Tensor & self, int64_t dim, at::OptionalTensorRef w, "
            "const at::Tensor & out");
  EXPECT_EQ(decls_of(out_arguments(group().group)), "const at::Tensor & out");
}

TEST(StructuredArguments, replace_what_is_precomputed) {
  GroupOfTwo two(
      "f(Tensor self, int dim) -> Tensor",
      "f.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  const auto replacement = function_of("f(int n, Tensor t) -> ()");
  const auto addition = function_of("f(bool b) -> ()");
  const auto args = replacement->func.arguments.flat_all();
  model::Precompute precompute;
  precompute.replace.emplace_back(
      "dim", std::vector<model::Argument>(args.begin(), args.end()));
  precompute.add = {addition->func.arguments.flat_all().front()};
  two.out->precomputed = precompute;
  EXPECT_EQ(decls_of(impl_arguments(two.group)),
            "const at::Tensor & self, int64_t n, const at::Tensor & t, bool b, "
            "const at::Tensor & out");
}

TEST(StructuredArguments, refuse_tensor_options) {
  constexpr std::string_view kOptions =
      "f(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None) -> Tensor";
  const GroupOfTwo two(kOptions, kOptions);
  EXPECT_THROW(meta_arguments(two.group), ApiError);
  EXPECT_THROW(impl_arguments(two.group), ApiError);
}

}  // namespace
}  // namespace opgen::api::structured
