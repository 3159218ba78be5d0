#include "opgen/emit/ufunc_signatures.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/ufunc_fixture.h"

namespace opgen::emit {
namespace {

TEST(UfuncSignatures, SplitAFunctorsArguments) {
  const UfuncAdd add;
  const UfunctorSignature functor{&add.group, 0, "OnOther"};
  EXPECT_EQ(functor.decl_fields(), "opmath_t self_;\nopmath_t alpha_;");
  EXPECT_EQ(functor.inline_defn_ctor(),
            "OnOther(opmath_t self, opmath_t alpha) : self_(self), "
            "alpha_(alpha) {}");
  EXPECT_EQ(functor.decl_apply(), "scalar_t operator()(scalar_t other) const");
}

TEST(UfuncSignatures, NameTheStub) {
  const UfuncAdd add;
  const StubSignature stub{add.group};
  EXPECT_EQ(stub.kernel_defn(),
            "void add_kernel(TensorIteratorBase& iter, const at::Scalar & "
            "alpha)");
  EXPECT_EQ(stub.call(stub.arguments()),
            "add_stub(device_type(), *this, alpha)");
  EXPECT_EQ(stub.direct_call(stub.arguments()), "add_kernel(*this, alpha)");
}

}  // namespace
}  // namespace opgen::emit
