#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/emit/ufunc.h"
#include "tests/opgen/emit/ufunc_fixture.h"

namespace opgen::emit {
namespace {

using model::ScalarType;
using model::UfuncKey;

TEST(UfuncCuda, MakesAFunctorForScalarsOnEitherSide) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  const std::string text = compute_ufunc_cuda(add.group);
  EXPECT_NE(text.find(R"text(
template <typename scalar_t>
struct CUDAFunctorOnSelf_add {
  using opmath_t = at::opmath_type<scalar_t>;
  opmath_t other_;
opmath_t alpha_;
  CUDAFunctorOnSelf_add(opmath_t other, opmath_t alpha) : other_(other), alpha_(alpha) {}
  __device__ scalar_t operator()(scalar_t self) const {
    return ufunc::add(static_cast<opmath_t>(self), other_, alpha_);
  }
};
)text"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"text(
AT_DISPATCH_CASE(at::ScalarType::Float,
  [&]() {
    using opmath_t = at::opmath_type<scalar_t>;if (false) {}
else if (iter.is_cpu_scalar(1)) {
  CUDAFunctorOnOther_add<scalar_t> ufunctor(iter.scalar_value<opmath_t>(1), (alpha).to<opmath_t>());
  iter.remove_operand(1);
  gpu_kernel(iter, ufunctor);
}else if (iter.is_cpu_scalar(2)) {
  CUDAFunctorOnSelf_add<scalar_t> ufunctor(iter.scalar_value<opmath_t>(2), (alpha).to<opmath_t>());
  iter.remove_operand(2);
  gpu_kernel(iter, ufunctor);
}
else {
  gpu_kernel(iter, CUDAFunctor_add<scalar_t>((alpha).to<opmath_t>()));
}
    
  }
)
)text"),
            std::string::npos)
      << text;
}

TEST(UfuncCuda, TakesFunctorsThatAreWrittenByHand) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  add.add_loop(UfuncKey::kCUDAFunctorOnSelf, "mine", {ScalarType::kFloat});
  const std::string text = compute_ufunc_cuda(add.group);
  EXPECT_EQ(text.find("struct CUDAFunctorOnSelf_add"), std::string::npos);
  EXPECT_NE(text.find("mine<scalar_t> ufunctor("), std::string::npos);
}

TEST(UfuncCuda, NeedsLoopsThatFitTogether) {
  UfuncAdd none;
  EXPECT_THROW(compute_ufunc_cuda(none.group), EmitError);
  UfuncAdd two_names;
  two_names.add_loop(UfuncKey::kScalarOnly, "a", {ScalarType::kBool});
  two_names.add_loop(UfuncKey::kGeneric, "b", {ScalarType::kFloat});
  EXPECT_THROW(compute_ufunc_cuda(two_names.group), EmitError);
  UfuncAdd no_functor;
  no_functor.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  no_functor.add_loop(UfuncKey::kCUDAFunctor, "mine", {ScalarType::kHalf});
  EXPECT_THROW(compute_ufunc_cuda(no_functor.group), EmitError);
}

}  // namespace
}  // namespace opgen::emit
