#include "opgen/emit/ufunc.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/ufunc_fixture.h"

namespace opgen::emit {
namespace {

using model::ScalarType;
using model::UfuncKey;

TEST(Ufunc, CallsTheStub) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  EXPECT_EQ(compute_ufunc_cpu(add.group), R"text(
using add_fn = void(*)(TensorIteratorBase&, const at::Scalar &);
DECLARE_DISPATCH(add_fn, add_stub)
DEFINE_DISPATCH(add_stub);

TORCH_IMPL_FUNC(ufunc_add_CPU)(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out) {
  add_stub(device_type(), *this, alpha);
}
)text");
}

TEST(Ufunc, VectorizesGenericLoopsOnly) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kScalarOnly, "add", {ScalarType::kBool});
  add.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  EXPECT_EQ(compute_ufunc_cpu_kernel(add.group), R"text(
namespace {

void add_kernel(TensorIteratorBase& iter, const at::Scalar & alpha) {
  AT_DISPATCH_SWITCH(iter.common_dtype(), "add_stub",
    
AT_DISPATCH_CASE(at::ScalarType::Bool,
  [&]() {
    
auto _s_alpha = alpha.to<scalar_t>();
cpu_kernel(iter,
  [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, _s_alpha); }
);

  }
)


AT_DISPATCH_CASE(at::ScalarType::Float,
  [&]() {
    
auto _s_alpha = alpha.to<scalar_t>();
auto _v_alpha = at::vec::Vectorized<scalar_t>(_s_alpha);
cpu_kernel_vec(iter,
  [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, _s_alpha); },
  [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) { return ufunc::add(self, other, _v_alpha); }
);

  }
)

  );
}

} // anonymous namespace

using add_fn = void(*)(TensorIteratorBase&, const at::Scalar &);
DECLARE_DISPATCH(add_fn, add_stub)
REGISTER_DISPATCH(add_stub, &add_kernel)
)text");
}

TEST(Ufunc, PrefersLoopsOfTheCpu) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kGeneric, "add", {ScalarType::kFloat});
  add.add_loop(UfuncKey::kCPUScalar, "scalar_add", {ScalarType::kFloat});
  const std::string text = compute_ufunc_cpu_kernel(add.group);
  EXPECT_NE(text.find("return ufunc::scalar_add(self, other, _s_alpha);"),
            std::string::npos);
  EXPECT_NE(text.find("return ufunc::add(self, other, _v_alpha);"),
            std::string::npos);
}

TEST(Ufunc, NeedsAScalarLoop) {
  UfuncAdd add;
  add.add_loop(UfuncKey::kCPUVector, "add", {ScalarType::kFloat});
  EXPECT_THROW(compute_ufunc_cpu_kernel(add.group), EmitError);
}

}  // namespace
}  // namespace opgen::emit
