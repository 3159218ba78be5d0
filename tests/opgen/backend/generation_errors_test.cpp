#include "opgen/backend/generation_errors.h"

#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "loaded_program.h"
#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::backend {
namespace {

using text::DiagnosticId;

// Runs a generation that cannot make these operators; `named`: whether its
// errors say which they are.
backend::Run run_with_bad(const std::set<std::string>& bad, bool named) {
  schema::LoadedFunctions loaded = load_text(kGroupedOperators);
  backend::Run run;
  run.keep.push_back(loaded.native_functions_file);
  const bool result = make_or_report(loaded, run, [&](backend::Run& part) {
    part.files.push_back({"out/file", ""});
    for (const auto& f : loaded.functions->functions) {
      if (!bad.contains(f->func.name.str())) {
        continue;
      }
      if (named) {
        throw emit::EmitError("no\n  in scope", *f);
      }
      throw std::runtime_error("no");
    }
    return true;
  });
  EXPECT_EQ(result, bad.empty());
  EXPECT_EQ(run.files.empty(), !bad.empty());
  EXPECT_EQ(loaded.functions->functions.size(), 7U);
  return run;
}

std::string lines_of(const backend::Run& run) {
  std::string lines;
  for (const text::Diagnostic* entry : run.diagnostics.sorted()) {
    EXPECT_EQ(entry->id, DiagnosticId::kCannotGenerate);
    lines +=
        std::to_string(entry->range.file->position(entry->range.begin).line) +
        " ";
  }
  return lines;
}

TEST(MakeOrReport, ReportsNothingWhereNothingIsWrong) {
  EXPECT_TRUE(run_with_bad({}, true).diagnostics.empty());
}

TEST(MakeOrReport, ReportsAllOperators) {
  const backend::Run run = run_with_bad({"add", "neg.out", "equal"}, true);
  EXPECT_EQ(lines_of(run), "2 11 13 ");
  EXPECT_EQ(run.diagnostics.entries()[0].notes.at(0).message, "in scope");
}

TEST(MakeOrReport, FindsOperatorsThatErrorsDoNotName) {
  EXPECT_EQ(lines_of(run_with_bad({"neg_", "equal"}, false)), "10 13 ");
}

TEST(MakeOrReport, BlamesNoOperatorForOtherErrors) {
  schema::LoadedFunctions loaded = load_text(kGroupedOperators);
  backend::Run run;
  EXPECT_FALSE(make_or_report(
      loaded, run, [](backend::Run&) -> bool { throw std::logic_error("x"); }));
  ASSERT_EQ(run.diagnostics.error_count(), 1U);
  EXPECT_EQ(run.diagnostics.entries()[0].id, DiagnosticId::kGenerationFailed);
}

}  // namespace
}  // namespace opgen::backend
