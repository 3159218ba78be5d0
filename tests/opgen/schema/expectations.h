// What the tests of opgen::schema say about schemas and files.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/schema/load.h"
#include "opgen/schema/schema_error.h"
#include "opgen/schema/schema_parser.h"
#include "opgen/text/diagnostics.h"

namespace opgen::schema {

// The schema prints what it was parsed from.
inline void expect_parses(std::string_view text) {
  SchemaErrors errors;
  const auto schema = parse_function_schema(text, {}, errors);
  ASSERT_TRUE(schema.has_value()) << text;
  EXPECT_TRUE(errors.empty()) << text;
  EXPECT_EQ(schema->str(), text);
}

// The first error is this one, at this part of the text.
inline void expect_error(std::string_view text,
                         text::DiagnosticId id,
                         std::string_view part) {
  SchemaErrors errors;
  EXPECT_FALSE(parse_function_schema(text, {}, errors).has_value()) << text;
  ASSERT_FALSE(errors.empty()) << text;
  EXPECT_EQ(diagnostic_name(errors[0].id), diagnostic_name(id)) << text;
  ASSERT_LE(errors[0].end, text.size());
  EXPECT_EQ(text.substr(errors[0].begin, errors[0].end - errors[0].begin), part)
      << text;
}

inline constexpr std::string_view kTags = R"(
- tag: core
  desc: in the core
- tag: generated
  desc: not written by hand
- tag: inplace
  desc: in-place
- tag: inplace_view
  desc: makes self a view
- tag: nondeterministic_seeded
  desc: random
- tag: out
  desc: writes to its outputs
- tag: pt2_compliant_tag
  desc: works with the compiler
- tag: view_copy
  desc: copies what a view views
)";

struct LoadedText {
  text::Diagnostics diagnostics;
  LoadedFunctions loaded;

  const model::NativeFunctions& functions() const { return *loaded.functions; }

  const model::NativeFunction& function(std::string_view name) const {
    const model::NativeFunction* f = functions().find(name);
    if (f == nullptr) {
      throw std::invalid_argument("no function " + std::string(name));
    }
    return *f;
  }
};

inline std::unique_ptr<LoadedText> load(std::string_view functions,
                                        std::string_view tags = kTags,
                                        LoadOptions options = {}) {
  auto result = std::make_unique<LoadedText>();
  options.native_functions = std::make_shared<const text::SourceFile>(
      "native_functions.yaml", std::string(functions));
  options.tags =
      std::make_shared<const text::SourceFile>("tags.yaml", std::string(tags));
  result->loaded = load_native_functions(options, result->diagnostics);
  return result;
}

inline std::unique_ptr<LoadedText> expect_loads(std::string_view functions,
                                                std::string_view tags = kTags,
                                                LoadOptions options = {}) {
  auto result = load(functions, tags, std::move(options));
  EXPECT_EQ(result->diagnostics.to_text(), "");
  EXPECT_TRUE(result->loaded.functions.has_value());
  return result;
}

// There is one error, this one, at this part of one of the files.
inline void expect_load_error(std::string_view functions,
                              text::DiagnosticId id,
                              std::string_view part,
                              std::string_view tags = kTags) {
  const auto result = load(functions, tags);
  const auto& entries = result->diagnostics.entries();
  EXPECT_FALSE(result->loaded.functions.has_value());
  ASSERT_EQ(entries.size(), 1U) << functions << "\n"
                                << result->diagnostics.to_text();
  EXPECT_EQ(diagnostic_name(entries[0].id), diagnostic_name(id)) << functions;
  const text::SourceRange range = entries[0].range;
  ASSERT_NE(range.file, nullptr);
  EXPECT_EQ(range.file->contents().substr(range.begin, range.end - range.begin),
            part)
      << functions;
}

}  // namespace opgen::schema
