#include "opgen/schema/operator_name_parser.h"

#include <string>

#include <gtest/gtest.h>

namespace opgen::schema {
namespace {

using text::DiagnosticId;

model::OperatorName expect_parses(std::string_view text) {
  SchemaErrors errors;
  const auto name = parse_operator_name(text, SchemaReporter(text, errors));
  EXPECT_TRUE(name.has_value()) << text;
  EXPECT_TRUE(errors.empty()) << text;
  EXPECT_EQ(name.value_or(model::OperatorName()).str(), text);
  return name.value_or(model::OperatorName());
}

void expect_error(std::string_view text, DiagnosticId id) {
  SchemaErrors errors;
  EXPECT_FALSE(parse_operator_name(text, SchemaReporter(text, errors))) << text;
  ASSERT_EQ(errors.size(), 1U) << text;
  EXPECT_EQ(diagnostic_name(errors[0].id), diagnostic_name(id)) << text;
}

TEST(OperatorNameParserTest, ReadsTheParts) {
  const model::OperatorName name = expect_parses("aten::add_.Tensor.x");
  EXPECT_EQ(name.name.namespace_, "aten");
  EXPECT_EQ(name.name.base, "add");
  EXPECT_TRUE(name.name.inplace);
  EXPECT_EQ(name.overload_name, "Tensor.x");
}

TEST(OperatorNameParserTest, ReadsDunderMethods) {
  EXPECT_TRUE(expect_parses("__ilshift__.Scalar").name.inplace);
  EXPECT_EQ(expect_parses("__ilshift__").name.base, "lshift");
  EXPECT_TRUE(expect_parses("__and__").name.dunder_method);
  EXPECT_FALSE(expect_parses("__and__").name.inplace);
  EXPECT_FALSE(expect_parses("__dispatch_x__").name.dunder_method);
}

TEST(OperatorNameParserTest, ReadsFunctionalTwins) {
  const model::OperatorName name = expect_parses("norm_functional");
  EXPECT_TRUE(name.name.functional_overload);
  EXPECT_EQ(name.name.base, "norm");
}

TEST(OperatorNameParserTest, Errors) {
  expect_error("", DiagnosticId::kOperatorNameEmpty);
  expect_error(".out", DiagnosticId::kOperatorNameEmpty);
  expect_error("add_out", DiagnosticId::kOperatorNameOutSuffix);
  expect_error("aten::", DiagnosticId::kOperatorNameColons);
  expect_error("::add", DiagnosticId::kOperatorNameColons);
  expect_error("__index__", DiagnosticId::kOperatorNameDunder);
  expect_error("norm_functional_",
               DiagnosticId::kOperatorNameFunctionalInplace);
  expect_error("add.", DiagnosticId::kOperatorNameEmptyOverload);
}

}  // namespace
}  // namespace opgen::schema
