#include "opgen/schema/type_parser.h"

#include <string>

#include <gtest/gtest.h>

namespace opgen::schema {
namespace {

using text::DiagnosticId;

const model::Type* parse(std::string_view text,
                         SchemaErrors& errors,
                         SchemaLanguage language = {}) {
  return parse_type(text, language, SchemaReporter(text, errors));
}

void expect_type(std::string_view text) {
  SchemaErrors errors;
  const model::Type* type = parse(text, errors);
  ASSERT_NE(type, nullptr) << text;
  EXPECT_EQ(type->str(), text);
}

void expect_type_error(std::string_view text,
                       DiagnosticId id,
                       std::string_view suggestion = {}) {
  SchemaErrors errors;
  EXPECT_EQ(parse(text, errors), nullptr) << text;
  ASSERT_EQ(errors.size(), 1U) << text;
  EXPECT_EQ(diagnostic_name(errors[0].id), diagnostic_name(id)) << text;
  EXPECT_EQ(errors[0].suggestion, suggestion) << text;
}

void expect_annotation(std::string_view text) {
  SchemaErrors errors;
  const auto annotation = parse_annotation(text, SchemaReporter(text, errors));
  ASSERT_TRUE(annotation.has_value()) << text;
  EXPECT_EQ(annotation->str(), text);
}

void expect_annotation_error(std::string_view text, DiagnosticId id) {
  SchemaErrors errors;
  EXPECT_FALSE(parse_annotation(text, SchemaReporter(text, errors))) << text;
  ASSERT_EQ(errors.size(), 1U) << text;
  EXPECT_EQ(diagnostic_name(errors[0].id), diagnostic_name(id)) << text;
}

TEST(TypeParserTest, ReadsTypes) {
  expect_type("Tensor");
  expect_type("SymInt[2]?");
  expect_type("Tensor?[]");
  expect_type("int?[3]?");
  expect_type("__torch__.torch.classes.quantized.LinearPackedParams_1");
}

TEST(TypeParserTest, SuggestsTypes) {
  expect_type_error("Tensr", DiagnosticId::kUnknownType, "Tensor");
  expect_type_error("symint[]", DiagnosticId::kUnknownType, "SymInt");
  expect_type_error("Banana", DiagnosticId::kUnknownType);
  expect_type_error("?", DiagnosticId::kUnknownType);
  expect_type_error("[]", DiagnosticId::kUnknownType);
}

TEST(TypeParserTest, DimnameIsForOldVersions) {
  SchemaErrors errors;
  EXPECT_EQ(parse("Dimname[]?", errors), nullptr);
  errors.clear();
  const model::Type* type = parse("Dimname[]?", errors, {.dimname = true});
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type->str(), "Dimname[]?");
}

TEST(TypeParserTest, Errors) {
  expect_type_error("int[0]", DiagnosticId::kListSize);
  expect_type_error("int[07]", DiagnosticId::kListSize);
  expect_type_error("int[99999999999999999999]",
                    DiagnosticId::kListSizeTooLarge);
  expect_type_error("int" + std::string(100000, '?'),
                    DiagnosticId::kTypeTooDeep);
  expect_type_error("Tensor?(a!)", DiagnosticId::kAnnotationPlace);
  expect_type_error("int,int", DiagnosticId::kCommaWithoutSpace);
  expect_type_error("__torch__.torch.classes.", DiagnosticId::kCustomClassName);
  expect_type_error("__torch__.torch.classes.a-b",
                    DiagnosticId::kCustomClassName);
}

TEST(TypeParserTest, ReadsAnnotations) {
  for (const char* text :
       {"a", "a!", "a|b", "a -> *", "a! -> b", "a -> b|c|d", "a|b -> *"}) {
    expect_annotation(text);
  }
}

TEST(TypeParserTest, AnnotationErrors) {
  for (const char* text : {"", "A", "ab", "a!!", "a|", "a->b", "a |b", "!"}) {
    expect_annotation_error(text, DiagnosticId::kAnnotationSyntax);
  }
  expect_annotation_error("a -> ", DiagnosticId::kAnnotationAfterArrow);
  expect_annotation_error("a -> **", DiagnosticId::kAnnotationAfterArrow);
  expect_annotation_error("a|b!", DiagnosticId::kAnnotationWritesSet);
  expect_annotation_error("a|b|c", DiagnosticId::kAnnotationLargeSet);
  expect_annotation_error("a|b -> c|d", DiagnosticId::kAnnotationTwoSets);
}

TEST(TypeParserTest, OnlyPlainTensorsAreAnnotated) {
  SchemaErrors errors;
  const std::string_view text = "Tensor(a!)[2]";
  EXPECT_EQ(parse_annotated_type(text, {}, SchemaReporter(text, errors)).type,
            nullptr);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].id, DiagnosticId::kAnnotatedTypeForm);
}

}  // namespace
}  // namespace opgen::schema
