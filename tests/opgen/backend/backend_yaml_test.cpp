#include "opgen/backend/backend_yaml.h"  // IWYU pragma: keep

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/text/diagnostics.h"
#include "opgen/text/source.h"
#include "tests/opgen/backend/stubs_tree.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

struct Found {
  DiagnosticId id;
  std::size_t line;
  std::size_t column;
  std::string suggestion;

  bool operator==(const Found&) const = default;
};

// What is wrong with a description whose lines from the third on are `lists`.
std::vector<Found> errors_in(const std::string& lists) {
  StubsTree tree;
  tree.generate(lists);
  std::vector<Found> found;
  for (const text::Diagnostic* error : tree.run.diagnostics.sorted()) {
    if (error->range.file != nullptr) {
      const text::Position where =
          error->range.file->position(error->range.begin);
      found.push_back({error->id, where.line, where.column, error->suggestion});
    }
  }
  return found;
}

using Errors = std::vector<Found>;

TEST(ParseBackendYaml, ReportsAllThatIsWrong) {
  EXPECT_EQ(
      errors_in("suported: 1\nsupported: [abz, 1, add]\nautograd: ~\n"),
      (Errors{{DiagnosticId::kBackendUnknownKey, 3, 1, "supported"},
              {DiagnosticId::kBackendUnknownOperator, 4, 13, "abs"},
              {DiagnosticId::kBackendValueType, 4, 18, ""},
              {DiagnosticId::kBackendUnknownOperator, 4, 21, "add.Tensor"},
              {DiagnosticId::kBackendValueType, 5, 11, ""}}));
}

TEST(ParseBackendYaml, ReportsVariantsUnderBothKeys) {
  EXPECT_EQ(errors_in("supported: [abs]\nautograd: [abs_]\n"),
            (Errors{{DiagnosticId::kBackendMixedVariants, 4, 12, ""}}));
}

TEST(ParseBackendYaml, ReportsWhatCannotBeStructured) {
  EXPECT_EQ(errors_in("structured: [abs]\n"),
            (Errors{{DiagnosticId::kBackendNotStructured, 3, 14, ""}}));
  EXPECT_EQ(errors_in("structured: [add.out]\nsupported: [add.Tensor]\n"),
            (Errors{{DiagnosticId::kBackendStructuredVariant, 4, 13, ""}}));
  EXPECT_EQ(errors_in("structured:\n- {func: add.out, symint: true}\n"),
            (Errors{{DiagnosticId::kBackendStructuredSymint, 4, 10, ""}}));
}

TEST(ParseBackendYaml, WarnsOfWhatHasNoEffect) {
  StubsTree tree;
  EXPECT_TRUE(tree.generate("supported: [grow, grow]\nsymint: [gorw]\n"));
  ASSERT_EQ(tree.run.diagnostics.warning_count(), 2U);
  EXPECT_EQ(tree.run.diagnostics.error_count(), 0U);
  EXPECT_EQ(tree.run.diagnostics.entries()[0].suggestion, "grow");
  EXPECT_EQ(tree.run.diagnostics.entries()[1].id,
            DiagnosticId::kBackendOperatorTwice);
}

TEST(ParseBackendYaml, KeepsQuietAboutOperatorsOfABrokenOverlay) {
  StubsTree tree;
  tree.write("own.yaml", "- func: my::f(Tensr x) -> Tensor\n");
  EXPECT_FALSE(tree.generate("supported: [my::f]\noverlay: own.yaml\n"));
  for (const text::Diagnostic& error : tree.run.diagnostics.entries()) {
    EXPECT_NE(error.id, DiagnosticId::kBackendUnknownOperator);
  }
}

TEST(LoadOverlay, KeepsTheFileThatErrorsAreIn) {
  StubsTree tree;
  tree.write("own.yaml", "- func: [\n");
  EXPECT_FALSE(tree.generate("supported: [abs]\noverlay: own.yaml\n"));
  EXPECT_NE(tree.run.diagnostics.to_text().find("own.yaml:2:1: error: "),
            std::string::npos)
      << tree.run.diagnostics.to_text();
}

TEST(LoadOverlay, ReportsWhatItCannotTake) {
  StubsTree tree;
  tree.write("own.yaml", "- func: abs(Tensor self) -> Tensor\n");
  EXPECT_FALSE(tree.generate("supported: [grow]\noverlay: own.yaml\n"));
  EXPECT_EQ(tree.run.diagnostics.entries()[0].id, DiagnosticId::kOverlayExists);
  tree.write("own.yaml", "my: 1\n");
  EXPECT_FALSE(tree.generate("supported: [grow]\noverlay: [own.yaml]\n"));
  EXPECT_EQ(tree.run.diagnostics.entries()[0].id,
            DiagnosticId::kOverlayNotList);
}

}  // namespace
}  // namespace opgen::backend
