#include "opgen/emit/declarations_yaml.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/api/context.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

TEST(DeclarationsYaml, DefaultsBecomePythonValues) {
  EXPECT_EQ(pythonify_default("true"), PythonValue(true));
  EXPECT_EQ(pythonify_default("false"), PythonValue(false));
  EXPECT_EQ(pythonify_default("-1"), PythonValue(PythonInt{"-1"}));
  EXPECT_EQ(pythonify_default("+007"), PythonValue(PythonInt{"7"}));
  EXPECT_EQ(pythonify_default("-0"), PythonValue(PythonInt{"0"}));
  EXPECT_EQ(pythonify_default("1_000"), PythonValue(PythonInt{"1000"}));
  EXPECT_EQ(pythonify_default("123456789012345678901"),
            PythonValue(PythonInt{"123456789012345678901"}));
  EXPECT_EQ(pythonify_default("0.5"), PythonValue(0.5));
  EXPECT_EQ(pythonify_default("-.5e+1"), PythonValue(-5.0));
  EXPECT_EQ(pythonify_default("1e-05"), PythonValue(1e-05));
  EXPECT_EQ(pythonify_default("1."), PythonValue(1.0));
  EXPECT_EQ(pythonify_default("-Infinity"), PythonValue(-HUGE_VAL));
  EXPECT_EQ(pythonify_default("1e999"), PythonValue(HUGE_VAL));
  EXPECT_TRUE(std::holds_alternative<double>(pythonify_default("nan")));
}

TEST(DeclarationsYaml, OtherDefaultsStayText) {
  for (const std::string text : {"",
                                 "True",
                                 "{}",
                                 "\"x\"",
                                 "at::kLong",
                                 "_1",
                                 "1_",
                                 "1__0",
                                 "0x10",
                                 "1e",
                                 ".",
                                 "1.0f",
                                 "::std::nullopt",
                                 "+",
                                 "1 2"}) {
    EXPECT_EQ(pythonify_default(text), PythonValue(text)) << text;
  }
}

TEST(DeclarationsYaml, DynamicTypesAreOldFashioned) {
  const auto dynamic = [](std::string_view type) {
    return dynamic_type(api::type_of(type), {});
  };
  EXPECT_EQ(dynamic("Tensor?"), "at::Tensor");
  EXPECT_EQ(dynamic("SymInt?"), "int64_t");
  EXPECT_EQ(dynamic("SymInt[]?"), "at::IntArrayRef");
  EXPECT_EQ(dynamic("Scalar?"), "const at::Scalar &");
  EXPECT_EQ(dynamic("Tensor[]"), "at::TensorList");
}

std::string yaml_of(const model::NativeFunction& f) {
  const std::vector<DeclarationYaml> all = {compute_declaration_yaml(f)};
  return format_yaml(all);
}

TEST(DeclarationsYaml, WritesIntegersOfAnySize) {
  const std::string text = yaml_of(*api::function_of(
      "f(Tensor x, int a=9223372036854775807, int b=9223372036854775808, int "
      "c=-99_999_999_999_999_999_999) -> Tensor"));
  for (const char* line : {"default: 9223372036854775807\n",
                           "default: 9223372036854775808\n",
                           "default: -99999999999999999999\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(DeclarationsYaml, ListsNothing) {
  EXPECT_EQ(format_yaml({}), "[]\n");
}

TEST(DeclarationsYaml, OutputsComeFirstInTheCppApi) {
  // NOLINT(size): mostly the expected text
  const auto f = api::function_of(
      "max.n(Tensor self, int[2] dim=0, *, float p=1e-5, Tensor(a!) A) -> "
      "Tensor(a!) values");
  f->category_override = "yes";
  EXPECT_EQ(yaml_of(*f), R"yaml(- name: max_out
  operator_name: max
  overload_name: n
  manual_kernel_registration: false
  category_override: 'yes'
  schema_string: aten::max.n(Tensor self, int[2] dim=0, *, float p=1e-5, Tensor(a!) A) -> Tensor(a!) values
  arguments:
  - allocate: true
    annotation: a!
    dynamic_type: at::Tensor
    field_name: values
    is_nullable: false
    name: A
    output: true
    type: at::Tensor &
  - annotation: null
    dynamic_type: at::Tensor
    is_nullable: false
    name: self
    type: const at::Tensor &
  - annotation: null
    default: 0
    dynamic_type: at::IntArrayRef
    is_nullable: false
    name: dim
    size: 2
    type: at::IntArrayRef
  - annotation: null
    default: 1.0e-05
    dynamic_type: double
    is_nullable: false
    kwarg_only: true
    name: p
    type: double
  schema_order_cpp_signature: at::Tensor & (const at::Tensor &, at::IntArrayRef, double, at::Tensor &)
  schema_order_arguments:
  - annotation: null
    dynamic_type: at::Tensor
    is_nullable: false
    name: self
    type: const at::Tensor &
  - annotation: null
    default: 0
    dynamic_type: at::IntArrayRef
    is_nullable: false
    name: dim
    size: 2
    type: at::IntArrayRef
  - annotation: null
    default: 1.0e-05
    dynamic_type: double
    is_nullable: false
    kwarg_only: true
    name: p
    type: double
  - allocate: true
    annotation: a!
    dynamic_type: at::Tensor
    field_name: values
    is_nullable: false
    name: A
    output: true
    type: at::Tensor &
  method_of:
  - Type
  - namespace
  mode: native
  python_module: ''
  returns:
  - dynamic_type: at::Tensor
    field_name: values
    name: A
    type: at::Tensor &
  inplace: false
  is_factory_method: false
  abstract: false
  device_guard: true
  with_gil: false
  deprecated: false
  has_math_kernel: false
)yaml");
}

TEST(DeclarationsYaml, GathersOptions) {
  const auto f = api::function_of(
      "rand(int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
      "Device? device=None, bool? pin_memory=None) -> Tensor");
  EXPECT_TRUE(compute_declaration_yaml(*f).is_factory_method);
  EXPECT_NE(yaml_of(*f).find(R"yaml(  - annotation: null
    default: '{}'
    dynamic_type: at::TensorOptions
    is_nullable: false
    kwarg_only: true
    name: options
    type: at::TensorOptions
  schema_order_cpp_signature: at::Tensor (at::IntArrayRef, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)
)yaml"),
            std::string::npos)
      << yaml_of(*f);
  f->method_variant = true;
  EXPECT_FALSE(compute_declaration_yaml(*f).is_factory_method);
}

TEST(DeclarationsYaml, EmptyListsAndMethods) {
  const auto f = api::function_of("_noop() -> ()");
  f->function_variant = false;
  f->method_variant = true;
  const std::string text = yaml_of(*f);
  EXPECT_NE(text.find("\n  arguments: []\n"), std::string::npos);
  EXPECT_NE(text.find("\n  schema_order_arguments: []\n"), std::string::npos);
  EXPECT_NE(text.find("\n  returns: []\n"), std::string::npos);
  EXPECT_NE(text.find("\n  method_of:\n  - Type\n  - Tensor\n  mode:"),
            std::string::npos);
}

}  // namespace
}  // namespace opgen::emit
