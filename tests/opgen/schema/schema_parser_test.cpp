#include "opgen/schema/schema_parser.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expectations.h"

namespace opgen::schema {
namespace {

using text::DiagnosticId;

TEST(SchemaParserTest, ReadsSchemas) {
  expect_parses("f() -> ()");
  expect_parses(
      "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  expect_parses("add_(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  expect_parses(
      "sort.out(Tensor self, *, Tensor(a!) values, Tensor(b!) indices) -> "
      "(Tensor(a!) values, Tensor(b!) indices)");
  expect_parses(
      "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> "
      "Tensor(a)[]");
  expect_parses("_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()");
  expect_parses(
      "empty(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
      "Device? device=None, bool? pin_memory=None, MemoryFormat? "
      "memory_format=None) -> Tensor");
  expect_parses("f(str x=\"a b\", int[2] y=[0,1]) -> (Tensor, int)");
}

TEST(SchemaParserTest, SchemaErrors) {
  expect_error("f(int\tx) -> int", DiagnosticId::kSchemaControlCharacter, "\t");
  expect_error("f", DiagnosticId::kSchemaNoName, "f");
  expect_error("(int x) -> int", DiagnosticId::kSchemaNoName, "(int x) -> int");
  expect_error("f(int x)", DiagnosticId::kSchemaNoArrow, "f(int x)");
  expect_error("f(int x) -> ", DiagnosticId::kSchemaNoReturns, "");
}

TEST(SchemaParserTest, ArgumentErrors) {
  expect_error("f(int x, , int y) -> ()", DiagnosticId::kArgumentEmpty, "");
  expect_error("f(int x, ) -> ()", DiagnosticId::kArgumentEmpty, "");
  expect_error("f(int) -> ()", DiagnosticId::kArgumentNoName, "int");
  expect_error(
      "f(int x=) -> ()", DiagnosticId::kArgumentEmptyDefault, "int x=");
  expect_error(
      "f(int x=1=2) -> ()", DiagnosticId::kArgumentTwoDefaults, "int x=1=2");
  expect_error("f(int x, *, *, int y) -> ()", DiagnosticId::kStarTwice, "*");
  expect_error("f(int x, *) -> ()", DiagnosticId::kStarLast, "*");
  expect_error("f(*, Tensor(a!) out, int x) -> Tensor(a!)",
               DiagnosticId::kArgumentAfterOutput,
               "int x");
  expect_error("f(Tensr x) -> ()", DiagnosticId::kUnknownType, "Tensr");
  expect_error(
      "f(int x,int y) -> ()", DiagnosticId::kCommaWithoutSpace, "int x,int");
}

TEST(SchemaParserTest, ReturnErrors) {
  expect_error("f() -> (Tensor)", DiagnosticId::kReturnParentheses, "(Tensor)");
  expect_error("f() -> Tensor, Tensor",
               DiagnosticId::kReturnNoParentheses,
               "Tensor, Tensor");
  expect_error("f() -> (Tensor, )", DiagnosticId::kReturnEmpty, "");
  expect_error("f(Tensor(a) self) -> Tensor(a -> *)",
               DiagnosticId::kReturnNeedsName,
               "Tensor(a -> *)");
}

TEST(SchemaParserTest, ReportsSeveralErrors) {
  SchemaErrors errors;
  parse_function_schema(
      "f_out(Tensr x, int, Tensor(A) y) -> Tensro", {}, errors);
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_EQ(errors[0].id, DiagnosticId::kOperatorNameOutSuffix);
  EXPECT_EQ(errors[1].id, DiagnosticId::kUnknownType);
  EXPECT_EQ(errors[2].id, DiagnosticId::kArgumentNoName);
  EXPECT_EQ(errors[3].id, DiagnosticId::kAnnotationSyntax);
  EXPECT_EQ(errors[4].id, DiagnosticId::kUnknownType);
}

TEST(SchemaParserTest, OutputRules) {
  expect_error("f(Tensor(a!) condition, Tensor self) -> Tensor",
               DiagnosticId::kMutableBeforeSelf,
               "Tensor(a!) condition");
  expect_error("f(Tensor self, Tensor(a!) x) -> Tensor(a!)",
               DiagnosticId::kMutableArgumentReturned,
               "Tensor(a!) x");
  expect_error("f(Tensor(a) x, Tensor(a) y) -> Tensor(a)",
               DiagnosticId::kReturnAliasesSeveral,
               "Tensor(a)");
  expect_error("f(Tensor(a!) self) -> (Tensor(a!), Tensor)",
               DiagnosticId::kMixedReturns,
               "(Tensor(a!), Tensor)");
  expect_error("f(Tensor self) -> Tensor(b!)",
               DiagnosticId::kReturnOfNoOutput,
               "Tensor(b!)");
  expect_error("f(*, Tensor(a!)[] out) -> Tensor(a!)[]",
               DiagnosticId::kListOutputReturned,
               "Tensor(a!)[]");
  expect_error("f(*, Tensor(a!) x, Tensor(b!) y) -> Tensor(a!)",
               DiagnosticId::kOutputCount,
               "Tensor(a!)");
  expect_error("f(*, Tensor(a!) x, Tensor(b!) y) -> (Tensor(b!), Tensor(a!))",
               DiagnosticId::kOutputOrder,
               "Tensor(b!)");
}

TEST(SchemaParserTest, InplaceRules) {
  expect_error("f_(Tensor(a!) self, *, Tensor(b!) out) -> Tensor(b!)",
               DiagnosticId::kOutputOfInplace,
               "Tensor(b!) out");
  expect_error("f_(Tensor self) -> Tensor", DiagnosticId::kInplaceSelf, "f_");
  expect_error("f_(Tensor(a!) self) -> ()", DiagnosticId::kInplaceReturn, "()");
  expect_error("f_(Tensor(a!)[] self) -> Tensor(a!)[]",
               DiagnosticId::kInplaceListReturn,
               "Tensor(a!)[]");
  expect_error("f_.functional(Tensor(a!) self) -> Tensor(a!)",
               DiagnosticId::kFunctionalOverload,
               "f_.functional");
}

TEST(SchemaParserTest, TensorOptionRules) {
  const std::string options =
      "ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None";
  expect_error("f(*, " + options + ", " + options + ") -> Tensor",
               DiagnosticId::kTensorOptionsTwice,
               "ScalarType? dtype=None");
  expect_error("f.out(*, " + options + ", Tensor(a!) out) -> Tensor(a!)",
               DiagnosticId::kTensorOptionsOfMutable,
               "ScalarType? dtype=None");
}

TEST(SchemaParserTest, BernoulliRule) {
  expect_parses("bernoulli.p(Tensor self, float p) -> Tensor");
  expect_error("bernoulli.p(Tensor self, float p=0.5) -> Tensor",
               DiagnosticId::kBernoulliDefault,
               "float p=0.5");
}

// Schemas made of well-formed parts print what they were parsed from.
TEST(SchemaParserTest, GeneratedSchemasComeBack) {
  std::mt19937 random(20260101);
  const auto pick = [&random](const std::vector<std::string>& values) {
    return values[random() % values.size()];
  };
  const std::vector<std::string> names = {
      "f", "add.Tensor", "__and__", "norm_functional", "x::f.y"};
  const std::vector<std::string> types = {"Tensor",
                                          "Tensor(a)",
                                          "Tensor(b -> *)",
                                          "int[2]?",
                                          "SymInt[]",
                                          "Tensor?[]",
                                          "str?",
                                          "Tensor(c)[]",
                                          "__torch__.torch.classes.A.b"};
  const std::vector<std::string> values = {
      "", "=1", "=None", "=\"x y\"", "=[0,1]"};
  for (int round = 0; round < 2000; ++round) {
    std::string text = pick(names) + "(";
    const std::size_t count = random() % 6;
    const std::size_t star = random() % 8;
    for (std::size_t i = 0; i < count; ++i) {
      text += i > 0 ? ", " : "";
      text += i == star ? "*, " : "";
      text += pick(types) + " x" + std::to_string(i) + pick(values);
    }
    text += ") -> " + pick({"()", "Tensor", "(Tensor x, int[] y)", "Scalar?"});
    expect_parses(text);
  }
}

// No text makes the parser fail in another way than by errors.
TEST(SchemaParserTest, DamagedSchemasAreErrorsOrComeBack) {
  std::mt19937 random(7);
  const std::string whole =
      "add_.Tensor(Tensor(a!) self, Tensor? other=None, *, SymInt[2] n=1) -> "
      "Tensor(a!)";
  for (int round = 0; round < 20000; ++round) {
    std::string text = whole;
    for (std::size_t change = 0; change <= random() % 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text.insert(at, 1, "()[]!?*,=. _->a1"[random() % 16]);
      }
      if (text.empty()) {
        text = "f";
      }
    }
    SchemaErrors errors;
    const auto schema = parse_function_schema(text, {}, errors);
    ASSERT_EQ(schema.has_value(), errors.empty()) << text;
    if (schema) {
      EXPECT_EQ(schema->str(), text);
    }
    for (const SchemaError& error : errors) {
      EXPECT_LE(error.begin, error.end);
      EXPECT_LE(error.end, text.size());
    }
  }
}

}  // namespace
}  // namespace opgen::schema
