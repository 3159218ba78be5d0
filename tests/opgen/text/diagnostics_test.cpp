#include "opgen/text/diagnostics.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "opgen/text/source.h"

namespace opgen::text {

namespace {

SourceRange range_of(const SourceFile& file, const std::string& text) {
  const std::size_t begin = file.contents().find(text);
  EXPECT_NE(begin, std::string_view::npos);
  return {&file, begin, begin + text.size()};
}

TEST(DiagnosticId, NamesAreStableAndUnique) {
  EXPECT_EQ(diagnostic_name(DiagnosticId::kYamlDuplicateKey),
            "yaml-duplicate-key");
  std::set<std::string> names;
  for (const DiagnosticId id : all_diagnostic_ids()) {
    EXPECT_TRUE(names.insert(diagnostic_name(id)).second)
        << diagnostic_name(id);
    EXPECT_FALSE(diagnostic_message(id).empty());
  }
}

TEST(Diagnostics, ShowsTheLineAndTheName) {
  const SourceFile file("ops.yaml", "a: 1\n- func: f(Tensr x)\n");
  Diagnostics diagnostics;
  diagnostics.error(DiagnosticId::kYamlTag, range_of(file, "Tensr"), {"Tensr"})
      .did_you_mean("Tensor")
      .note(range_of(file, "a"), "the other one")
      .note({}, "while generating f");
  EXPECT_EQ(diagnostics.to_text(),
            "ops.yaml:2:11: error: the tag 'Tensr' is not supported; did you "
            "mean 'Tensor'?\n"
            "- func: f(Tensr x)\n"
            "          ^~~~~\n"
            "ops.yaml:1:1: note: the other one\n"
            "a: 1\n"
            "^\n"
            "note: while generating f\n");
}

TEST(Diagnostics, TheMarkFollowsTabsAndCharacters) {
  const SourceFile file("f", "\tx\t\xC3\xA9\xC3\xA9 bad");
  Diagnostics diagnostics;
  diagnostics.warning(DiagnosticId::kYamlSyntax, range_of(file, "bad"), {"m"});
  EXPECT_EQ(diagnostics.to_text(),
            "f:1:7: warning: m\n\tx\t\xC3\xA9\xC3\xA9 bad\n\t \t   ^~~\n");
}

TEST(Diagnostics, RangesEndWithTheLineAndMayBeEmpty) {
  const SourceFile file("f", "ab\ncd");
  Diagnostics diagnostics;
  diagnostics.error(DiagnosticId::kYamlSyntax, {&file, 1, 5}, {"long"});
  diagnostics.error(DiagnosticId::kYamlSyntax, {&file, 5, 5}, {"end"});
  EXPECT_EQ(diagnostics.to_text(),
            "f:1:2: error: long\nab\n ^\nf:2:3: error: end\ncd\n  ^\n");
}

TEST(Diagnostics, LongLinesAreCutAndControlsHidden) {
  const SourceFile file(
      "f", std::string(1000, 'x') + "\x1b[bad" + std::string(1000, 'y'));
  Diagnostics diagnostics;
  diagnostics.error(DiagnosticId::kYamlSyntax, range_of(file, "bad"), {"m"});
  const std::string text = diagnostics.to_text();
  EXPECT_LT(text.size(), 700U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("[bad"), std::string::npos);
  const std::size_t line = text.find("...");
  const std::size_t mark = text.find('^');
  // The escape character is shown as three bytes.
  EXPECT_EQ(mark - text.rfind('\n', mark) - 1, text.find("bad") - line - 2);
}

TEST(Diagnostics, AreSortedWithoutRepetitions) {
  const SourceFile b("b", "xyz");
  const SourceFile a("a", "xyz");
  Diagnostics diagnostics;
  Diagnostics other;
  other.error(DiagnosticId::kFileCannotRead, {}, {"p", "gone"});
  other.error(DiagnosticId::kYamlSyntax, {&b, 2, 3}, {"3"});
  diagnostics.error(DiagnosticId::kYamlSyntax, {&b, 2, 3}, {"3"});
  diagnostics.warning(DiagnosticId::kYamlSyntax, {&b, 1, 2}, {"2"});
  diagnostics.error(DiagnosticId::kYamlSyntax, {&a, 1, 2}, {"1"});
  diagnostics.merge(std::move(other));
  EXPECT_EQ(diagnostics.error_count(), 4U);
  EXPECT_EQ(diagnostics.warning_count(), 1U);
  std::string order;
  for (const Diagnostic* entry : diagnostics.sorted()) {
    order += entry->message + ";";
  }
  EXPECT_EQ(order, "1;2;3;cannot read 'p': gone;");
}

TEST(Diagnostics, Json) {
  const SourceFile file("f", "a\n\xC3\xA9 bad\n");
  Diagnostics diagnostics;
  diagnostics.error(DiagnosticId::kYamlSyntax, range_of(file, "bad"), {"\"m\""})
      .did_you_mean("x")
      .note(range_of(file, "a"), "n");
  EXPECT_EQ(diagnostics.to_json(), R"({
  "diagnostics": [
    {
      "id": "yaml-syntax",
      "severity": "error",
      "message": "\"m\"",
      "file": "f",
      "line": 2,
      "column": 3,
      "endLine": 2,
      "endColumn": 6,
      "suggestion": "x",
      "notes": [
        {
          "message": "n",
          "file": "f",
          "line": 1,
          "column": 1,
          "endLine": 1,
          "endColumn": 2
        }
      ]
    }
  ]
}
)");
  EXPECT_EQ(Diagnostics().to_json(), "{\n  \"diagnostics\": []\n}\n");
}

TEST(Diagnostics, Sarif) {
  const SourceFile file("a b.yaml", "bad\n");
  Diagnostics diagnostics;
  diagnostics.error(DiagnosticId::kYamlSyntax, range_of(file, "bad"), {"m"})
      .note(range_of(file, "ad"), "here");
  const std::string text = diagnostics.to_sarif("1.2");
  for (const char* part : {R"("version": "2.1.0")",
                           R"("ruleId": "yaml-syntax")",
                           R"("level": "error")",
                           R"("uri": "a%20b.yaml")",
                           "\"startColumn\": 1",
                           "\"endColumn\": 4",
                           "\"relatedLocations\"",
                           R"("columnKind": "unicodeCodePoints")",
                           R"("version": "1.2")"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

}  // namespace

}  // namespace opgen::text
