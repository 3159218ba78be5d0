#include "opgen/api/unboxing.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/opgen/api/functions.h"

namespace opgen::api::unboxing {
namespace {

std::string lines(const std::vector<std::string>& code) {
  std::string text;
  for (const std::string& line : code) {
    text += line;
    text += '\n';
  }
  return text;
}

IvalueConversion conversion_of(std::string_view type) {
  return argumenttype_ivalue_convert(
      type_of(type), "x", /*is_mutable=*/false, {});
}

TEST(IvalueConversion, converts_base_types) {
  const IvalueConversion c = conversion_of("Tensor");
  EXPECT_EQ(c.out_name, "x_base");
  EXPECT_EQ(lines(c.code), "at::Tensor x_base = x.to<at::Tensor>();\n");
  EXPECT_TRUE(c.decl.empty());
}

TEST(IvalueConversion, unwraps_optionals) {
  const IvalueConversion c = conversion_of("int?");
  EXPECT_EQ(c.out_name, "x_opt_out");
  EXPECT_EQ(lines(c.code), R"(
auto x_opt = x.toOptional<c10::IValue>();
::std::optional<int64_t> x_opt_out;
if (x_opt.has_value()) {
    const c10::IValue x_opt_in = x_opt.value();
    int64_t x_opt_in_base = x_opt_in.to<int64_t>();
    x_opt_out = ::std::optional<int64_t>(x_opt_in_base);
} else {
    x_opt_out = ::std::optional<int64_t>();
}
        
)");
}

TEST(IvalueConversion, unrolls_lists) {
  const IvalueConversion c = conversion_of("int[]");
  EXPECT_EQ(c.out_name, "x_list_out");
  EXPECT_EQ(lines(c.decl), "std::vector<int64_t> x_vec;\n");
  EXPECT_EQ(lines(c.code),
            R"(const c10::List<c10::IValue> x_list_in = x.toList();

for (c10::IValue x_elem: x_list_in) {
    int64_t x_elem_base = x_elem.to<int64_t>();
    x_vec.push_back(x_elem_base);
}
at::IntArrayRef x_list_out(x_vec);
            
)");
}

TEST(IvalueConversion, indents_nested_code_with_tabs) {
  const IvalueConversion c = conversion_of("Tensor?[]");
  ASSERT_GT(c.code.size(), 6U);
  EXPECT_EQ(c.code[4], "    ");
  EXPECT_EQ(c.code[5], "\tauto x_elem_opt = x_elem.toOptional<c10::IValue>();");
}

TEST(IvalueConversion, turns_sized_lists_of_bool_into_arrays) {
  const IvalueConversion c = conversion_of("bool[3]");
  EXPECT_EQ(c.code[2],
            "::std::array<bool,3> x_list_out = as_array<bool, 3>(x_list_in);");
}

TEST(ConvertArguments, peeks_and_renames_each_argument) {
  const auto f = function_of("f.x(Tensor self, int a=1) -> Tensor");
  const ConvertedArguments converted = convert_arguments(*f);
  EXPECT_EQ(name(*f), "f_x");
  EXPECT_EQ(decls_of(converted.bindings),
            "const at::Tensor & self_base, int64_t a_base=1");
  EXPECT_EQ(lines(converted.code),
            "c10::IValue self = std::move(peek(stack, 0, 2));\n"
            "c10::IValue a = std::move(peek(stack, 1, 2));\n"
            "\n"
            "at::Tensor self_base = self.to<at::Tensor>();\n"
            "int64_t a_base = a.to<int64_t>();\n");
}

}  // namespace
}  // namespace opgen::api::unboxing
