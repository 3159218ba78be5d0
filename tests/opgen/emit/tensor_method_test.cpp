#include "opgen/emit/tensor_method.h"

#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/emit/target.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

const ComputeTensorMethod kDeclare{Target::kDeclaration};
const ComputeTensorMethod kDefine{Target::kDefinition};

std::unique_ptr<model::NativeFunction> method_of(std::string_view schema) {
  auto f = api::function_of(schema);
  f->method_variant = true;
  return f;
}

TEST(TensorMethod, DeclaresEverySignature) {
  const auto f = method_of(
      "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> "
      "Tensor(a)");
  EXPECT_EQ(
      kDeclare(*f),
      "at::Tensor expand(at::IntArrayRef size, bool implicit=false) const;\n"
      "at::Tensor expand_symint(c10::SymIntArrayRef size, bool implicit=false) "
      "const;\n");
}

TEST(TensorMethod, PassesItselfAsSelf) {
  const auto f = method_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(kDefine(*f), R"out(
// aten::abs(Tensor self) -> Tensor
inline at::Tensor Tensor::abs() const {
    return at::_ops::abs::call(const_cast<Tensor&>(*this));
}
)out");
}

TEST(TensorMethod, LeavesFunctionsOut) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(kDeclare(*f), std::nullopt);
  EXPECT_EQ(kDefine(*f), std::nullopt);
}

TEST(TensorMethod, RefusesWhatCannotBeAMethod) {
  EXPECT_THROW(kDeclare(*method_of("abs.out(Tensor self, *, Tensor(a!) out) -> "
                                   "Tensor(a!)")),
               api::ApiError);
  EXPECT_THROW(kDefine(*method_of("zeros(int[] size) -> Tensor")),
               api::ApiError);
  const ComputeTensorMethod other{Target::kRegistration};
  EXPECT_THROW(other(*method_of("abs(Tensor self) -> Tensor")),
               std::logic_error);
}

}  // namespace
}  // namespace opgen::emit
