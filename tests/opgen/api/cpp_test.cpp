#include "opgen/api/cpp.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/error.h"
#include "opgen/api/types/ctype.h"
#include "tests/opgen/api/functions.h"

namespace opgen::api::cpp {
namespace {

void expect_name(std::string_view schema,
                 NameOptions options,
                 std::string_view expected) {
  EXPECT_EQ(name(function_of(schema)->func, options), expected);
}

void expect_argument_type(std::string_view type,
                          ArgumentTypeOptions options,
                          Locals locals,
                          std::string_view expected) {
  EXPECT_EQ(argumenttype_type(type_of(type), options, locals)->cpp_type(),
            expected)
      << type;
}

void expect_argument_type(std::string_view type, std::string_view expected) {
  expect_argument_type(type, {}, {}, expected);
}

void expect_symint_type(std::string_view type, std::string_view expected) {
  expect_argument_type(type, {.symint = true}, {}, expected);
}

void expect_returns(std::string_view schema,
                    std::string_view expected,
                    Locals locals = {}) {
  EXPECT_EQ(returns_type(function_of(schema)->func.returns, locals)->cpp_type(),
            expected);
}

void expect_return_names(std::string_view schema,
                         const std::vector<std::string>& expected) {
  EXPECT_EQ(return_names(*function_of(schema)), expected);
}

TEST(CppName, keeps_the_in_place_underscore) {
  expect_name("add_.Tensor(Tensor(a!) self) -> Tensor(a!)", {}, "add_");
}

TEST(CppName, tells_out_and_faithful_out_apart) {
  const char* schema = "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)";
  expect_name(schema, {}, "f_out");
  expect_name(schema, {.faithful_name_for_out_overloads = true}, "f_outf");
  expect_name(schema, {.symint_overload = true}, "f_symint_out");
}

TEST(CppArgumentType, maps_value_types) {
  expect_argument_type("int", "int64_t");
  expect_argument_type("float?", "::std::optional<double>");
  expect_argument_type("bool[3]", "::std::array<bool,3>");
  expect_argument_type("bool[3]?", "::std::optional<::std::array<bool,3>>");
  expect_argument_type("str", "c10::string_view");
  expect_argument_type("Dimname", "at::Dimname");
}

TEST(CppArgumentType, passes_tensors_and_scalars_by_reference) {
  expect_argument_type("Tensor", "const at::Tensor &");
  expect_argument_type("Tensor?", "const ::std::optional<at::Tensor> &");
  expect_argument_type("Scalar?", "const ::std::optional<at::Scalar> &");
}

TEST(CppArgumentType, maps_lists) {
  expect_argument_type("int[2]", "at::IntArrayRef");
  expect_argument_type("int[]?", "at::OptionalIntArrayRef");
  expect_argument_type("Tensor[]", "at::TensorList");
  expect_argument_type("Tensor?[]",
                       "const c10::List<::std::optional<at::Tensor>> &");
  expect_argument_type("Scalar[]", "at::ArrayRef<at::Scalar>");
  expect_argument_type("Dimname[]", "at::DimnameList");
  expect_argument_type("float[]?", "::std::optional<at::ArrayRef<double>>");
  expect_argument_type("Tensor[][]", "at::ArrayRef<at::TensorList>");
}

TEST(CppArgumentType, takes_symint_only_if_asked_to) {
  expect_argument_type("SymInt", "int64_t");
  expect_argument_type("SymInt[]", "at::IntArrayRef");
  expect_argument_type("SymInt[]?", "at::OptionalIntArrayRef");
  expect_symint_type("SymInt", "c10::SymInt");
  expect_symint_type("SymInt?", "::std::optional<c10::SymInt>");
  expect_symint_type("SymInt[]", "c10::SymIntArrayRef");
  expect_symint_type("SymInt[]?", "at::OptionalSymIntArrayRef");
}

TEST(CppArgumentType, owns_only_the_outermost_list) {
  const ArgumentTypeOptions owning{.remove_non_owning_ref_types = true,
                                   .symint = true};
  expect_argument_type("int[]", owning, {}, "::std::vector<int64_t>");
  expect_argument_type("SymInt[]", owning, {}, "::std::vector<c10::SymInt>");
  expect_argument_type("int[][]", owning, {}, "at::ArrayRef<at::IntArrayRef>");
  expect_argument_type("int[]?", owning, {}, "at::OptionalIntArrayRef");
}

TEST(CppArgumentType, follows_the_locals) {
  const ArgumentTypeOptions mutable_{.mutable_ = true};
  const Locals const_ref{.use_const_ref_for_mutable_tensors = true};
  const Locals ilistref{.use_ilistref_for_tensor_lists = true};
  expect_argument_type("Tensor", mutable_, {}, "at::Tensor &");
  expect_argument_type("Tensor?", mutable_, {}, "at::Tensor &");
  expect_argument_type("Tensor", mutable_, const_ref, "const at::Tensor &");
  expect_argument_type("Tensor[]", {}, ilistref, "const at::ITensorListRef &");
}

TEST(CppArgumentType, throws_for_types_without_a_cpp_type) {
  EXPECT_THROW(argumenttype_type(type_of("GraphModule"), {}, {}), ApiError);
  EXPECT_THROW(argumenttype_type(type_of("bool[]"), {}, {}), ApiError);
}

constexpr std::string_view kTwoOutputs =
    "f.out(*, Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))";

TEST(CppReturnsType, maps_each_number_of_returns) {
  expect_returns("f() -> ()", "void");
  expect_returns("f() -> Tensor", "at::Tensor");
  expect_returns("f() -> (Tensor, int, Tensor)",
                 "::std::tuple<at::Tensor,int64_t,at::Tensor>");
  expect_returns(kTwoOutputs, "::std::tuple<at::Tensor &,at::Tensor &>");
}

TEST(CppReturnsType, returns_vectors_and_optional_tensors) {
  expect_returns("f() -> Tensor[]", "::std::vector<at::Tensor>");
  expect_returns("f() -> Tensor?", "::std::optional<at::Tensor>");
}

TEST(CppReturnsType, always_returns_symint) {
  expect_returns("f() -> SymInt", "c10::SymInt");
}

TEST(CppReturnsType, returns_const_references_where_the_locals_say_so) {
  expect_returns(kTwoOutputs,
                 "::std::tuple<const at::Tensor &,const at::Tensor &>",
                 {.use_const_ref_for_mutable_tensors = true});
}

TEST(CppReturnsType, throws_for_what_cannot_be_returned) {
  const auto f = function_of("f() -> Tensor[2]");
  EXPECT_THROW(returns_type(f->func.returns, {}), ApiError);
  const auto g = function_of("f() -> Scalar?");
  EXPECT_THROW(returns_type(g->func.returns, {}), ApiError);
}

TEST(CppReturnNames, falls_back_to_result) {
  expect_return_names("f() -> Tensor", {"result"});
  expect_return_names("f() -> (Tensor, Tensor)", {"result0", "result1"});
  EXPECT_EQ(return_names(*function_of("f() -> Tensor"), "out"),
            std::vector<std::string>{"out"});
}

TEST(CppReturnNames, uses_self_outputs_and_given_names) {
  expect_return_names("f_(Tensor(a!) self) -> Tensor(a!)", {"self"});
  expect_return_names("f.out(*, Tensor(a!) x) -> Tensor(a!)", {"x"});
  expect_return_names("f(Tensor values) -> (Tensor values, Tensor i)",
                      {"values_return", "i"});
}

}  // namespace
}  // namespace opgen::api::cpp
