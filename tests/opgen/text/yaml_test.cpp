#include "opgen/text/yaml.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "temporary_folder.h"

namespace opgen::text {

namespace {

std::string shown(const YamlNode& node) {
  std::string out;
  if (node.is_sequence()) {
    for (const YamlNode* item : node.items()) {
      out += (out.empty() ? "" : ",") + shown(*item);
    }
    return "[" + out + "]";
  }
  if (node.is_mapping()) {
    for (const YamlNode::Entry& entry : node.entries()) {
      out += (out.empty() ? "" : ",") + shown(*entry.key) + ":" +
             shown(*entry.value);
    }
    return "{" + out + "}";
  }
  if (node.is_null()) {
    return "null";
  }
  if (node.is_string()) {
    return "'" + std::string(node.value()) + "'";
  }
  return std::string(node.value());
}

struct Result {
  std::shared_ptr<const SourceFile> file;
  Diagnostics diagnostics;
  std::unique_ptr<YamlDocument> document;

  explicit Result(const std::string& text, const YamlLimits& limits = {})
      : file(std::make_shared<const SourceFile>("f.yaml", text)) {
    document = std::make_unique<YamlDocument>(file, diagnostics, limits);
  }

  const YamlNode& root() const { return *document->root(); }
};

void expect_reads(const std::string& text, const std::string& expected) {
  const Result result(text);
  EXPECT_EQ(result.diagnostics.to_text(), "");
  ASSERT_NE(result.document->root(), nullptr) << text;
  EXPECT_EQ(shown(result.root()), expected);
}

void expect_error(const std::string& text, const std::string& expected) {
  const Result result(text);
  EXPECT_EQ(result.diagnostics.to_text(), expected);
}

TEST(Yaml, ReadsCollections) {
  expect_reads(
      "- func: add(Tensor a) -> Tensor\n  variants: f, m\n- [1, {a: b}]\n",
      "[{'func':'add(Tensor a) -> Tensor','variants':'f, m'},[1,{'a':'b'}]]");
  expect_reads("", "null");
  expect_reads("# only a comment\n", "null");
  expect_reads("a:\nb: ''\n", "{'a':null,'b':''}");
  expect_reads(
      "\xEF\xBB\xBF"
      "a: \xC3\xA9\n",
      "{'a':'\xC3\xA9'}");
  expect_reads("a: b\r\nc: d\r\n", "{'a':'b','c':'d'}");
}

TEST(Yaml, OnlyPlainScalarsHaveTypes) {
  const Result block("a: |-\n  1\nb: >\n  yes\n");
  const auto items = Result("[yes, 'yes', 1, \"1\", 1.5, 2001-01-01]");
  const auto& list = items.root().items();
  EXPECT_TRUE(list[0]->is_bool() && list[0]->as_bool());
  EXPECT_TRUE(list[1]->is_string());
  EXPECT_EQ(list[2]->as_int(), 1);
  EXPECT_TRUE(list[3]->is_string());
  EXPECT_EQ(list[3]->style(), YamlStyle::kDoubleQuoted);
  EXPECT_EQ(list[4]->as_float(), 1.5);
  EXPECT_TRUE(list[5]->is_timestamp());
  EXPECT_TRUE(block.root().find("a")->is_string());
  EXPECT_EQ(block.root().find("b")->value(), "yes\n");
  EXPECT_EQ(list[3]->describe(), "a string");
  EXPECT_EQ(items.root().describe(), "a list");
}

TEST(Yaml, FindsByKey) {
  const Result result("a: 1\nyes: 2\n'yes': 3\n");
  EXPECT_EQ(result.root().find("a")->as_int(), 1);
  EXPECT_EQ(result.root().find("yes")->as_int(), 3);
  EXPECT_EQ(result.root().find("b"), nullptr);
  EXPECT_EQ(result.root().find_entry("a")->key->range().begin, 0U);
}

TEST(Yaml, NodesKnowTheirPlace) {
  const Result result("# \xC3\xA9\n- a: [b, c]\n  d:\n    - 'e'\n\n# end\n");
  const YamlNode& entry = *result.root().items()[0];
  const auto text = [&](const YamlNode& node) {
    const SourceRange range = node.range();
    return std::string(
        result.file->contents().substr(range.begin, range.end - range.begin));
  };
  EXPECT_EQ(text(entry), "a: [b, c]\n  d:\n    - 'e'");
  EXPECT_EQ(text(*entry.find("a")), "[b, c]");
  EXPECT_EQ(text(*entry.find("d")->items()[0]), "'e'");
  EXPECT_EQ(result.file->position(entry.find("a")->items()[1]->range().begin),
            (Position{2, 10}));
}

TEST(Yaml, AliasesAndMergeKeys) {
  expect_reads("a: &x {k: 1, l: 2}\nb: *x\n",
               "{'a':{'k':1,'l':2},'b':{'k':1,'l':2}}");
  expect_reads("- &x {k: 1, l: 2}\n- {l: 3, <<: *x, m: 4}\n",
               "[{'k':1,'l':2},{'k':1,'l':3,'m':4}]");
  expect_reads("- &x {k: 1}\n- &y {k: 2, l: 3}\n- <<: [*x, *y]\n",
               "[{'k':1},{'k':2,'l':3},{'k':1,'l':3}]");
  expect_error("<<: 1\n",
               "f.yaml:1:5: error: a merge key needs a mapping or a list of "
               "mappings\n<<: 1\n    ^\n");
  expect_error("<<: [a]\n",
               "f.yaml:1:6: error: a merge key needs a mapping or a list of "
               "mappings\n<<: [a]\n     ^\n");
}

TEST(Yaml, DuplicateKeys) {
  expect_error("- b: 1\n  a: 2\n  b: 3\n",
               "f.yaml:3:3: error: duplicate key 'b'\n  b: 3\n  ^\n"
               "f.yaml:1:3: note: the key stands here already\n- b: 1\n  ^\n");
  std::string many;
  for (int i = 0; i < 40; ++i) {
    many += "k" + std::to_string(i) + ": 0\n";
  }
  expect_error(many + "k7: 1\n",
               "f.yaml:41:1: error: duplicate key 'k7'\nk7: 1\n^~\n"
               "f.yaml:8:1: note: the key stands here already\nk7: 0\n^~\n");
  expect_error("yes: 1\nTrue: 2\n",
               "f.yaml:2:1: error: duplicate key 'True'\nTrue: 2\n^~~~\n"
               "f.yaml:1:1: note: the key stands here already\nyes: 1\n^~~\n");
  expect_reads("1: a\n'1': b\n", "{1:'a','1':'b'}");
}

TEST(Yaml, SyntaxErrorsHaveAPlace) {
  expect_error(
      "a: [1, 2\nb: 3\n",
      "f.yaml:2:2: error: did not find expected ',' or ']'\nb: 3\n ^\n"
      "f.yaml:1:4: note: while parsing a flow sequence\na: [1, 2\n   ^\n");
  expect_error("\xC3\xA9: \t@x\n",
               "f.yaml:1:5: error: found character that cannot start any "
               "token\n\xC3\xA9: \t@x\n   \t^\n"
               "f.yaml:1:5: note: while scanning for the next token\n\xC3\xA9: "
               "\t@x\n   \t^\n");
  expect_error(
      "a: \"x\n",
      "f.yaml:2:1: error: found unexpected end of stream\n\n^\n"
      "f.yaml:1:4: note: while scanning a quoted scalar\na: \"x\n   ^\n");
  expect_error("a: b\x01\n",
               "f.yaml:1:5: error: control characters are not allowed\na: "
               "b\xEF\xBF\xBD\n    ^\n");
  expect_error(
      "a: \xFF\n",
      "f.yaml:1:4: error: the file is not UTF-8\na: \xEF\xBF\xBD\n   ^\n");
}

TEST(Yaml, RefusesWhatIsNotSupported) {
  expect_error("a: !!str 1\n",
               "f.yaml:1:4: error: the tag 'tag:yaml.org,2002:str' is not "
               "supported\na: !!str 1\n   ^~~~~~~\n");
  expect_error("[a]: 1\n",
               "f.yaml:1:1: error: the key of a mapping must be a scalar\n[a]: "
               "1\n^~~\n");
  expect_error("a: *x\n",
               "f.yaml:1:4: error: no anchor 'x' comes before this alias\na: "
               "*x\n   ^~\n");
  expect_error("a: &x [*x]\n",
               "f.yaml:1:8: error: the anchor 'x' is used inside itself\na: &x "
               "[*x]\n       ^~\nf.yaml:1:4: note: the anchor stands here\na: "
               "&x [*x]\n   ^~~~\n");
  expect_error("a\n---\nb\n",
               "f.yaml:2:1: error: the file holds more than one "
               "document\n---\n^~~\n");
  expect_error("a: 0x_\n",
               "f.yaml:1:4: error: '0x_' looks like a number but is none\na: "
               "0x_\n   ^~~\n");
}

TEST(Yaml, DeepNestingIsAnError) {
  for (const char* opening : {"[", "- ", "{a: ", "? "}) {
    std::string text;
    for (int i = 0; i < 5000; ++i) {
      text += opening;
    }
    const Result result(text);
    EXPECT_TRUE(result.diagnostics.has_errors()) << opening;
    EXPECT_EQ(result.document->root(), nullptr);
  }
  const Result deep(std::string(201, '[') + std::string(201, ']'));
  ASSERT_EQ(deep.diagnostics.error_count(), 1U);
  EXPECT_EQ(deep.diagnostics.entries()[0].id, DiagnosticId::kYamlTooDeep);
  expect_reads(std::string(200, '[') + std::string(200, ']'),
               std::string(200, '[') + std::string(200, ']'));
}

TEST(Yaml, AliasesCannotExplode) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = std::to_string(i - 1);
    const std::string next = std::to_string(i);
    for (const std::string& part :
         {"a" + next, ": &a" + next, " [*a" + last, ", *a" + last}) {
      text += part;
    }
    text += "]\n";
  }
  const Result result(text);
  ASSERT_EQ(result.diagnostics.error_count(), 1U);
  EXPECT_EQ(result.diagnostics.entries()[0].id,
            DiagnosticId::kYamlTooManyNodes);
  EXPECT_EQ(result.document->root(), nullptr);
}

TEST(Yaml, LimitsAreCounted) {
  YamlLimits limits;
  limits.nodes = 4;
  EXPECT_FALSE(Result("[a, b, c]", limits).diagnostics.has_errors());
  EXPECT_TRUE(Result("[a, b, c, d]", limits).diagnostics.has_errors());
  limits.bytes = 8;
  const Result large("[a, b, c]", limits);
  ASSERT_EQ(large.diagnostics.error_count(), 1U);
  EXPECT_EQ(large.diagnostics.entries()[0].id, DiagnosticId::kYamlTooLarge);
}

TEST(Yaml, ReadsFiles) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "a: 1\n");
  Diagnostics diagnostics;
  const YamlDocument document =
      YamlDocument::read(folder.path("a.yaml"), diagnostics);
  ASSERT_NE(document.root(), nullptr);
  EXPECT_EQ(shown(*document.root()), "{'a':1}");
  EXPECT_TRUE(diagnostics.empty());
  const YamlDocument none =
      YamlDocument::read(folder.path("none.yaml"), diagnostics);
  EXPECT_EQ(none.root(), nullptr);
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.entries()[0].id, DiagnosticId::kFileCannotRead);
}

}  // namespace

}  // namespace opgen::text
