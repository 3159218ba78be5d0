#include "opgen/emit/unboxing.h"

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using api::function_of;

TEST(Unboxing, declares_a_function_of_the_stack) {
  EXPECT_EQ(unboxing_declaration(*function_of("add.T(Tensor a) -> Tensor")),
            "\n// aten::add.T(Tensor a) -> Tensor\n"
            "TORCH_API void add_T(Stack & stack);\n");
}

TEST(Unboxing, calls_methods_on_self) {
  const auto f = function_of("relu_(Tensor(a!) self) -> Tensor(a!)");
  f->method_variant = true;
  EXPECT_EQ(unboxing_definition(*f),
            "\n// aten::relu_(Tensor(a!) self) -> Tensor(a!)\n"
            "TORCH_API void relu_(Stack & stack) {\n"
            "    c10::IValue self = std::move(peek(stack, 0, 1));\n"
            "\t\n"
            "\tat::Tensor self_base = self.to<at::Tensor>();\n\n"
            "    drop(stack, 1);\n\n"
            "    auto result_ = self_base.relu_();\n\n"
            "    pack(stack, std::move(result_));\n\n"
            "}\n");
}

TEST(Unboxing, pushes_nothing_where_nothing_is_returned) {
  EXPECT_EQ(unboxing_definition(*function_of("f(int n) -> ()")),
            "\n// aten::f(int n) -> ()\n"
            "TORCH_API void f(Stack & stack) {\n"
            "    c10::IValue n = std::move(peek(stack, 0, 1));\n"
            "\t\n"
            "\tint64_t n_base = n.to<int64_t>();\n\n"
            "    drop(stack, 1);\n\n"
            "    at::f(n_base);\n\n"
            "}\n");
}

TEST(Unboxing, registers_defaults_as_cpp_values) {
  const auto f = function_of(
      "f.o(Tensor x, int[] n=[1,2], str s=\"a\", bool b=True) -> (Tensor y, "
      "int)");
  EXPECT_EQ(unboxed_kernel_registration(*f),
            R"(
// aten::f.o(Tensor x, int[] n=[1,2], str s=\"a\", bool b=True) -> (Tensor y, int)
OperatorGenerator(
    "aten::f",
    "o",
    {
        c10::Argument("x", nullptr, ::std::nullopt, c10::IValue(::std::nullopt)),
		c10::Argument("n", nullptr, ::std::nullopt, c10::IntArrayRef({1,2})),
		c10::Argument("s", nullptr, ::std::nullopt, c10::IValue("a")),
		c10::Argument("b", nullptr, ::std::nullopt, c10::IValue(true))
    },
    {
        c10::Argument("y"),
		c10::Argument("")
    },
    [](Stack & stack) {
        RECORD_FUNCTION("f", std::vector<c10::IValue>());
        at::unboxing::f_o(stack);
    },
    aliasAnalysisFromSchema()
),
)");
}

TEST(Unboxing, splits_files_from_a_hundred_selected_operators_on) {
  const model::NativeFunctions program;
  const UnboxingOptions options;
  model::SelectiveBuilder selector;
  for (int i = 0; i < 99; ++i) {
    selector.operators["aten::f" + std::to_string(i)];
  }
  text::JobList jobs;
  auto one = make_unboxing_file_manager(options, jobs);
  gen_unboxing(options, program, selector, one);
  EXPECT_EQ(one.filenames().size(), 3U);
  selector.operators["aten::g"];
  auto many = make_unboxing_file_manager(options, jobs);
  gen_unboxing(options, program, selector, many);
  EXPECT_EQ(many.filenames().size(), 16U);
}

}  // namespace
}  // namespace opgen::emit
