#include "opgen/backend/diff_entry.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaded_program.h"

namespace opgen::backend {
namespace {

using Names = std::vector<std::string>;

// The fields of equal that differ between two files.
Names differing(const std::string& before, const std::string& after) {
  const schema::LoadedFunctions a = load_text(before);
  const schema::LoadedFunctions b = load_text(after);
  return differing_fields(
      entry_fields(*a.functions, *a.functions->find("equal")),
      entry_fields(*b.functions, *b.functions->find("equal")));
}

TEST(DifferingFields, NamesWhatChanged) {
  const std::string f = "- func: equal(Tensor self) -> bool\n";
  EXPECT_EQ(differing(f, f), Names{});
  EXPECT_EQ(differing(f, f + "  tags: core\n  device_guard: False\n"),
            (Names{"device_guard", "tags"}));
  EXPECT_EQ(
      differing(f, "- func: equal(Tensor x) -> bool\n  variants: method\n"),
      (Names{"func", "variants"}));
  EXPECT_EQ(differing(f, f + "  dispatch: {CompositeExplicitAutograd: k}\n"),
            Names{"dispatch"});
  EXPECT_EQ(differing("\n" + f, f + "  device_guard: True\n"), Names{});
}

}  // namespace
}  // namespace opgen::backend
