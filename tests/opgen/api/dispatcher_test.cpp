#include "opgen/api/dispatcher.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::api::dispatcher {
namespace {

TEST(DispatcherArguments, come_in_schema_order_without_defaults) {
  const auto f = function_of(
      "f.out(SymInt[] size, int a=1, *, bool b, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(decls_of(arguments(f->func, /*symint=*/true, {})),
            "c10::SymIntArrayRef size, int64_t a, bool b, at::Tensor & out");
}

TEST(DispatcherArguments, spread_tensor_options) {
  const auto f = function_of(
      "f(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None) -> Tensor");
  EXPECT_EQ(decls_of(arguments(f->func, /*symint=*/true, {})),
            "::std::optional<at::ScalarType> dtype, "
            "::std::optional<at::Layout> layout, ::std::optional<at::Device> "
            "device, ::std::optional<bool> pin_memory");
}

TEST(DispatcherArguments, are_plain_integers_without_symint) {
  const auto f = function_of("f(SymInt[]? size, SymInt a) -> ()");
  EXPECT_EQ(decls_of(arguments(f->func, /*symint=*/false, {})),
            "at::OptionalIntArrayRef size, int64_t a");
}

TEST(DispatcherArgument, owns_lists_if_asked_to) {
  const auto f = function_of("f(SymInt[] size) -> ()");
  const Binding binding = argument(f->func.arguments.flat_all().front(),
                                   {.remove_non_owning_ref_types = true},
                                   {});
  EXPECT_EQ(binding.decl(), "::std::vector<c10::SymInt> size");
}

TEST(DispatcherName, is_the_cpp_name) {
  EXPECT_EQ(name(function_of("f.x(*, Tensor(a!) out) -> Tensor(a!)")->func),
            "f_out");
}

}  // namespace
}  // namespace opgen::api::dispatcher
