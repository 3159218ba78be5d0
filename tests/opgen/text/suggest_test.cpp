#include "opgen/text/suggest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(EditDistance, CountsFourKindsOfEdits) {
  EXPECT_EQ(edit_distance("abc", "abc", 3), 0U);
  EXPECT_EQ(edit_distance("abc", "abxc", 3), 1U);
  EXPECT_EQ(edit_distance("abc", "ac", 3), 1U);
  EXPECT_EQ(edit_distance("abc", "axc", 3), 1U);
  EXPECT_EQ(edit_distance("abc", "acb", 3), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("", "abc", 3), 3U);
  EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3U);
}

TEST(Suggest, TakesTheNearest) {
  const std::vector<std::string> keys = {
      "CPU", "CUDA", "Tensor", "variants", "pointwise"};
  EXPECT_EQ(suggest("Tensr", keys), "Tensor");
  EXPECT_EQ(suggest("CPUU", keys), "CPU");
  EXPECT_EQ(suggest("varaints", keys), "variants");
  EXPECT_EQ(suggest("poinwise", keys), "pointwise");
  EXPECT_EQ(suggest("tensor", keys), "Tensor");
  EXPECT_EQ(suggest("cpu", keys), "CPU");
}

TEST(Suggest, IsSilentWhenNothingIsNear) {
  const std::vector<std::string> keys = {"CPU", "variants", "x"};
  EXPECT_EQ(suggest("dispatch", keys), "");
  EXPECT_EQ(suggest("y", keys), "");
  EXPECT_EQ(suggest("", keys), "");
  EXPECT_EQ(suggest("CPU", keys), "");
  EXPECT_EQ(suggest(std::string(500, 'x'), keys), "");
}

TEST(Suggest, TheFirstOfSeveralWins) {
  EXPECT_EQ(suggest("abcd", std::vector<std::string>{"abce", "abcf"}), "abce");
}

}  // namespace

}  // namespace opgen::text
