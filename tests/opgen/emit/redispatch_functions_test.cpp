#include "opgen/emit/redispatch_functions.h"

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

TEST(RedispatchFunctions, PutsTheKeysFirst) {
  const auto f =
      api::function_of("abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(compute_redispatch_function(*f), R"out(
// aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & abs_out(c10::DispatchKeySet dispatchKeySet, at::Tensor & out, const at::Tensor & self) {
    return at::_ops::abs_out::redispatch(dispatchKeySet, self, out);
}

// aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
inline at::Tensor & abs_outf(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::Tensor & out) {
    return at::_ops::abs_out::redispatch(dispatchKeySet, self, out);
}
)out");
}

TEST(RedispatchFunctions, TakesMethodsAndNoArguments) {
  const auto f = api::function_of("_flag() -> bool");
  f->function_variant = false;
  EXPECT_EQ(compute_redispatch_function(*f), R"out(
// aten::_flag() -> bool
inline bool _flag(c10::DispatchKeySet dispatchKeySet) {
    return at::_ops::_flag::redispatch(dispatchKeySet);
}
)out");
}

}  // namespace
}  // namespace opgen::emit
