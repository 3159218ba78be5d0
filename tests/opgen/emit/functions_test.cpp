#include "opgen/emit/functions.h"

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

TEST(Functions, CallsTheOperator) {
  const auto f = api::function_of("abs(Tensor self) -> Tensor");
  EXPECT_EQ(compute_function(*f), R"out(
// aten::abs(Tensor self) -> Tensor
inline at::Tensor abs(const at::Tensor & self) {
    return at::_ops::abs::call(self);
})out");
}

TEST(Functions, GivesTemplatesForSymIntOfMethodsToo) {
  const auto f = api::function_of(
      "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> "
      "Tensor(a)");
  f->function_variant = false;
  f->method_variant = true;
  EXPECT_EQ(compute_function(*f), R"out(
namespace symint {
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, int64_t>>>
  at::Tensor expand(const at::Tensor & self, at::IntArrayRef size, bool implicit=false) {
    return at::_ops::expand::call(self, c10::fromIntArrayRefSlow(size), implicit);
  }
}

namespace symint {
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, c10::SymInt>>>
  at::Tensor expand(const at::Tensor & self, c10::SymIntArrayRef size, bool implicit=false) {
    return at::_ops::expand::call(self, size, implicit);
  }
}
)out");
}

TEST(Functions, IsEmptyForOtherMethods) {
  const auto f = api::function_of("sin_(Tensor(a!) self) -> Tensor(a!)");
  f->function_variant = false;
  f->method_variant = true;
  EXPECT_EQ(compute_function(*f), "");
}

TEST(Functions, HidesManualBindings) {
  const auto f = api::function_of("is_complex(Tensor self) -> bool");
  f->manual_cpp_binding = true;
  EXPECT_EQ(compute_function(*f), R"out(
// aten::is_complex(Tensor self) -> bool
inline bool __dispatch_is_complex(const at::Tensor & self) {
    return at::_ops::is_complex::call(self);
})out");
}

}  // namespace
}  // namespace opgen::emit
