#include "opgen/api/ufunc.h"

#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/api/meta.h"
#include "opgen/api/types/ctype.h"
#include "opgen/model/dispatch_key.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::ufunc {
namespace {

const GroupOfTwo& add() {
  static const GroupOfTwo group(
      "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
      "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) "
      "-> Tensor(a!)");
  return group;
}

void expect_ufunctor(std::optional<int> scalar_tensor_idx,
                     std::string_view ctor,
                     std::string_view apply) {
  const UfunctorBindings bindings =
      ufunctor_arguments(add().group, scalar_tensor_idx, kScalarTParam);
  EXPECT_EQ(decls_of(bindings.ctor), ctor);
  EXPECT_EQ(decls_of(bindings.apply), apply);
}

TEST(Ufunc, names_kernels_by_dispatch_key) {
  EXPECT_EQ(kernel_name(add().group, model::DispatchKey::kCPU),
            "ufunc_add_CPU");
}

TEST(Ufunc, computes_in_the_given_type) {
  EXPECT_EQ(
      decls_of(ufunc_arguments(add().group, CType::vectorized(kScalarTParam))),
      "at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> "
      "other, at::vec::Vectorized<scalar_t> alpha");
}

TEST(Ufunc, passes_no_tensors_to_stubs) {
  EXPECT_EQ(decls_of(stub_arguments(add().group)), "const at::Scalar & alpha");
  EXPECT_EQ(dispatchstub_type(type_of("Tensor")), nullptr);
  EXPECT_EQ(dispatchstub_type(type_of("Scalar")), CType::const_ref(kScalarT));
}

TEST(Ufunctor, constructs_from_the_scalar_tensor) {
  expect_ufunctor({}, "opmath_t alpha", "scalar_t self, scalar_t other");
  expect_ufunctor(0, "opmath_t self, opmath_t alpha", "scalar_t other");
  expect_ufunctor(1, "opmath_t other, opmath_t alpha", "scalar_t self");
}

TEST(Ufunctor, throws_for_a_tensor_that_is_not_there) {
  EXPECT_THROW(ufunctor_arguments(add().group, 2, kScalarTParam), ApiError);
}

TEST(Ufunctor, throws_for_lists) {
  EXPECT_THROW(ufunc_type(type_of("int[]"), kScalarTParam), ApiError);
  EXPECT_THROW(ufunctor_apply_type(type_of("int"), kScalarTParam), ApiError);
}

TEST(MetaName, is_that_of_the_functional_operator) {
  EXPECT_EQ(meta::name(add().group), "add_Tensor");
}

}  // namespace
}  // namespace opgen::api::ufunc
