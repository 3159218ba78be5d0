#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/cpp.h"
#include "opgen/api/error.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::cpp {
namespace {

constexpr std::string_view kEmpty =
    "f(Tensor self, int a=1, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None, "
    "MemoryFormat? memory_format=None) -> Tensor";
constexpr std::string_view kOut =
    "f.out(Tensor self, int a=1, *, Tensor(a!) out) -> Tensor(a!)";

void expect_arguments(std::string_view schema,
                      ArgumentsOptions options,
                      std::string_view expected) {
  const auto f = function_of(schema);
  EXPECT_EQ(decls_of(arguments(f->func.arguments, options, {}, {})), expected);
}

TEST(CppArguments, gathers_tensor_options) {
  expect_arguments(kEmpty,
                   {},
                   "const at::Tensor & self, int64_t a=1, at::TensorOptions "
                   "options={}, ::std::optional<at::MemoryFormat> "
                   "memory_format=::std::nullopt");
}

TEST(CppArguments, spreads_tensor_options_and_drops_defaults_if_faithful) {
  expect_arguments(
      kEmpty,
      {.faithful = true},
      "const at::Tensor & self, int64_t a, ::std::optional<at::ScalarType> "
      "dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> "
      "device, ::std::optional<bool> pin_memory, "
      "::std::optional<at::MemoryFormat> memory_format");
}

TEST(CppArguments, gives_options_the_default_of_dtype_long) {
  expect_arguments(
      "f(*, ScalarType? dtype=long, Layout? layout=None, Device? "
      "device=None, bool? pin_memory=None) -> Tensor",
      {},
      "at::TensorOptions options=at::kLong");
}

TEST(CppArguments, puts_outputs_first_unless_faithful) {
  expect_arguments(
      kOut, {}, "at::Tensor & out, const at::Tensor & self, int64_t a=1");
  expect_arguments(kOut,
                   {.faithful = true},
                   "const at::Tensor & self, int64_t a, at::Tensor & out");
}

TEST(CppArguments, leaves_self_out_of_methods) {
  expect_arguments("f(Tensor a, Tensor self) -> Tensor",
                   {.method = true},
                   "const at::Tensor & a");
}

TEST(CppArguments, marks_memory_format_beside_options) {
  const auto f = function_of(kEmpty);
  const std::vector<Binding> bindings =
      arguments(f->func.arguments, {}, {}, {});
  EXPECT_EQ(bindings.back().nctype.name, kPossiblyRedundantMemoryFormat);
  EXPECT_TRUE(std::holds_alternative<model::TensorOptionsArguments>(
      bindings[2].argument));
}

TEST(CppArguments, drops_the_defaults_it_is_told_to) {
  const auto f = function_of("f(int a=1, int b=2) -> Tensor");
  EXPECT_EQ(decls_of(arguments(f->func.arguments, {}, {"a"}, {})),
            "int64_t a, int64_t b=2");
}

TEST(CppArguments, throws_for_options_without_a_default) {
  const auto f = function_of(kEmpty);
  EXPECT_THROW(arguments(f->func.arguments, {}, {"options"}, {}), ApiError);
}

TEST(CppArgument, binds_a_single_argument_with_its_default) {
  const auto f = function_of("f(Tensor? x=None) -> Tensor");
  const model::Argument* x = &f->func.arguments.flat_all().front();
  EXPECT_EQ(decls_of(argument(x, {}, {}, {})),
            "const ::std::optional<at::Tensor> & x={}");
}

}  // namespace
}  // namespace opgen::api::cpp
