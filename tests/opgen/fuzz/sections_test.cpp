#include "sections.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::fuzz {
namespace {

TEST(Sections, SplitAtMarks) {
  const Sections input("# rocm static=CPU\nhead\n%% a.yaml\none\ntwo\n%% b\n");
  EXPECT_EQ(input.head(), "# rocm static=CPU\nhead");
  EXPECT_EQ(input.part("a.yaml"), "one\ntwo");
  EXPECT_EQ(input.part("b", "fallback"), "");
  EXPECT_EQ(input.part("c", "fallback"), "fallback");
}

TEST(Sections, FirstLineHasWords) {
  const Sections input("#  rocm static=CPU static=CUDA\nmps");
  EXPECT_TRUE(input.asks_for("rocm"));
  EXPECT_FALSE(input.asks_for("mps"));
  EXPECT_FALSE(input.asks_for("static"));
  EXPECT_EQ(input.values("static"), (std::vector<std::string>{"CPU", "CUDA"}));
  EXPECT_TRUE(input.values("stati").empty());
}

TEST(Sections, NothingIsAnInputToo) {
  const Sections input("");
  EXPECT_EQ(input.head(), "");
  EXPECT_FALSE(input.asks_for(""));
}

}  // namespace
}  // namespace opgen::fuzz
