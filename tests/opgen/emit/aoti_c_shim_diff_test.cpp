#include "opgen/emit/aoti_c_shim_diff.h"

#include <string>

#include <gtest/gtest.h>

namespace opgen::emit {
namespace {

std::string lines(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) {
    text += std::to_string(i) + "\n";
  }
  return text;
}

TEST(UnifiedDiff, equal_texts_have_none) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(unified_diff("", ""), "");
}

TEST(UnifiedDiff, shows_three_lines_around_a_change) {
  EXPECT_EQ(unified_diff(lines(1, 20), lines(1, 9) + "x\n" + lines(11, 20)),
            "--- expected\n+++ actual\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n "
            "11\n 12\n 13\n");
}

TEST(UnifiedDiff, far_changes_are_hunks_of_their_own) {
  EXPECT_EQ(unified_diff(lines(1, 20), lines(2, 19)),
            "--- expected\n+++ actual\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n"
            "@@ -17,4 +16,3 @@\n 17\n 18\n 19\n-20\n");
}

TEST(UnifiedDiff, near_changes_share_a_hunk) {
  EXPECT_EQ(unified_diff(lines(1, 8), lines(2, 7)),
            "--- expected\n+++ actual\n@@ -1,8 +1,6 @@\n-1\n 2\n 3\n 4\n 5\n "
            "6\n 7\n-8\n");
}

TEST(UnifiedDiff, empty_sides_begin_at_zero) {
  EXPECT_EQ(unified_diff("", "a\n"),
            "--- expected\n+++ actual\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", ""),
            "--- expected\n+++ actual\n@@ -1 +0,0 @@\n-a\n");
}

}  // namespace
}  // namespace opgen::emit
