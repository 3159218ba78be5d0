#include "opgen/emit/operators.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "opgen/emit/target.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

TEST(Operators, DeclaresAStruct) {
  const auto f = api::function_of(
      "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  const ComputeOperators compute{Target::kDeclaration, {}};
  EXPECT_EQ(compute(*f), R"out(
struct TORCH_API add_Tensor {
  using schema = at::Tensor (const at::Tensor &, const at::Tensor &, const at::Scalar &);
  using ptr_schema = schema*;
  // See Note [static constexpr char* members for windows NVCC]
  static constexpr const char* name = "aten::add";
  static constexpr const char* overload_name = "Tensor";
  static constexpr const char* schema_str = "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
  static at::Tensor call(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha);
};)out");
}

TEST(Operators, DefinesBothEntryPoints) {
  const auto f = api::function_of("sin_(Tensor(a!) self) -> Tensor(a!)");
  const ComputeOperators compute{Target::kDefinition, {}};
  EXPECT_EQ(compute(*f), R"out(
// aten::sin_(Tensor(a!) self) -> Tensor(a!)
static C10_NOINLINE c10::TypedOperatorHandle<sin_::schema> create_sin__typed_handle() {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(sin_::name, sin_::overload_name)
      .typed<sin_::schema>();
}

// aten::sin_(Tensor(a!) self) -> Tensor(a!)
at::Tensor & sin_::call(at::Tensor & self) {
    
    static auto op = create_sin__typed_handle();
    return op.call(self);
}

// aten::sin_(Tensor(a!) self) -> Tensor(a!)
at::Tensor & sin_::redispatch(c10::DispatchKeySet dispatchKeySet, at::Tensor & self) {
    
    static auto op = create_sin__typed_handle();
    return op.redispatch(dispatchKeySet, self);
}
)out");
}

TEST(Operators, TakesNoArguments) {
  const auto f = api::function_of("_flag() -> bool");
  const std::string text = ComputeOperators{Target::kDefinition, {}}(*f);
  EXPECT_NE(text.find("redispatch(c10::DispatchKeySet dispatchKeySet) {"),
            std::string::npos);
  EXPECT_NE(text.find("op.redispatch(dispatchKeySet);"), std::string::npos);
  EXPECT_NE(text.find("op.call();"), std::string::npos);
}

TEST(Operators, RefusesOtherTargets) {
  const auto f = api::function_of("_flag() -> bool");
  const ComputeOperators compute{Target::kRegistration, {}};
  EXPECT_THROW(compute(*f), std::logic_error);
}

}  // namespace
}  // namespace opgen::emit
