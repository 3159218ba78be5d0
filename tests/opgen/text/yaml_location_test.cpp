#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "opgen/text/yaml.h"

namespace opgen::text {

namespace {

// What stands in the file where the part of the value of "a" is said to be.
std::string located(const std::string& text, std::string_view part) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<const SourceFile>("f", text);
  const YamlDocument document(file, diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  const YamlNode& node = *document.root()->find("a");
  const std::size_t begin = node.value().find(part);
  EXPECT_NE(begin, std::string_view::npos) << node.value();
  const SourceRange range = range_in(node, begin, begin + part.size());
  return std::string(
      file->contents().substr(range.begin, range.end - range.begin));
}

TEST(YamlLocation, OneLine) {
  EXPECT_EQ(located("a: foo(Tensor x)\n", "Tensor"), "Tensor");
  EXPECT_EQ(located("a: 'foo(Tensor x)'\n", "Tensor"), "Tensor");
  EXPECT_EQ(located("a: \"foo(Tensor x)\"\n", "Tensor"), "Tensor");
  EXPECT_EQ(located("a: &b foo bar\n", "bar"), "bar");
  EXPECT_EQ(located("a: &b 'it''s bar'\n", "bar"), "bar");
}

TEST(YamlLocation, Anchors) {
  for (const std::string property :
       {"&b ", "&b\n  ", "&b # why\n  ", "&b # one\n  # two\n\n  "}) {
    EXPECT_EQ(located("a: " + property + "foo\n  bar\n", "bar"), "bar");
    EXPECT_EQ(located("a: " + property + "'it''s\n  bar'\n", "bar"), "bar");
    EXPECT_EQ(located("a: " + property + "'it''s bar'\n", "s bar"), "s bar");
  }
  // An anchor needs no space behind it.
  EXPECT_EQ(located("a: &b:foo\n  bar", "bar"), "bar");
  EXPECT_EQ(located("a: &b:foo\n  bar", ":foo"), ":foo");
}

TEST(YamlLocation, Escapes) {
  EXPECT_EQ(located("a: 'it''s a bar'\n", "bar"), "bar");
  EXPECT_EQ(located("a: 'it''s'\n", "s"), "s");
  EXPECT_EQ(located("a: \"\\x41\\u00e9\\n\\\"bar\"\n", "bar"), "bar");
  EXPECT_EQ(located("a: \"x\\\n   \\tbar\"\n", "bar"), "bar");
  EXPECT_EQ(located("a: \"\\U0001F600\\_\\Lbar\"\n", "bar"), "bar");
}

TEST(YamlLocation, SeveralLines) {
  EXPECT_EQ(located("a: foo(Tensor x,\n     int y)\nb: 1\n", "int"), "int");
  EXPECT_EQ(located("a: one\n\n\n  two   three\n  four\n", "three"), "three");
  EXPECT_EQ(located("a: one\n\n\n  two   three\n  four\n", "four"), "four");
  EXPECT_EQ(located("a: 'one\n\n  two'\n", "two"), "two");
  EXPECT_EQ(located("a: \"one  \n   two\"\n", "two"), "two");
}

TEST(YamlLocation, Blocks) {
  EXPECT_EQ(located("a: |\n  one\n   two\n\n  three\n", "two"), "two");
  EXPECT_EQ(located("a: |\n  one\n   two\n\n  three\n", "three"), "three");
  EXPECT_EQ(located("a: |-  # comment\n  one\n", "one"), "one");
  EXPECT_EQ(located("a: >\n  one\n  two\n\n  three\n", "two"), "two");
  EXPECT_EQ(located("a: >\n  one\n  two\n\n  three\n", "three"), "three");
  EXPECT_EQ(located("a: |2\n    one\n", "one"), "one");
}

TEST(YamlLocation, PlacesStayInOrderAndInside) {
  for (const std::string& text :
       {std::string("a: one  two\n   three\n\n\n four\n"),
        std::string("a: >+\n  one\n\n   two\n  three\n\n\n"),
        std::string("a: \" x\\\n  y\\x41 \n\n z \"\n"),
        std::string("a: |+\n\n\n  x\n    y\n\n")}) {
    Diagnostics diagnostics;
    const auto file = std::make_shared<const SourceFile>("f", text);
    const YamlDocument document(file, diagnostics);
    const YamlNode& node = *document.root()->find("a");
    std::size_t last = node.range().begin;
    for (std::size_t i = 0; i <= node.value().size(); ++i) {
      const std::size_t place = location_in(node, i);
      EXPECT_GE(place, last) << text << i;
      EXPECT_LE(place, node.range().end) << text << i;
      last = place;
    }
  }
}

}  // namespace

}  // namespace opgen::text
