#include "opgen/backend/diff_lines.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::backend {
namespace {

using Lines = std::vector<std::string_view>;
using Hunks = std::vector<LineHunk>;

// `b` made from `a` by the hunks.
Lines apply(const Lines& a, const Lines& b, const Hunks& hunks) {
  Lines made;
  std::size_t at = 0;
  for (const LineHunk& hunk : hunks) {
    made.insert(made.end(), a.begin() + at, a.begin() + hunk.a_begin);
    made.insert(made.end(), b.begin() + hunk.b_begin, b.begin() + hunk.b_end);
    at = hunk.a_end;
  }
  made.insert(made.end(), a.begin() + at, a.end());
  return made;
}

TEST(SplitLines, KeepsBlankLines) {
  EXPECT_EQ(split_lines("a\n\nb\n"), (Lines{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\nb"), (Lines{"a", "b"}));
  EXPECT_TRUE(split_lines("").empty());
}

TEST(DiffLines, FindsWhatChanged) {
  EXPECT_EQ(diff_lines({"a", "b", "c"}, {"a", "b", "c"}), Hunks{});
  EXPECT_EQ(diff_lines({"a", "b", "c"}, {"a", "x", "c"}),
            (Hunks{{1, 2, 1, 2}}));
  EXPECT_EQ(diff_lines({"a", "b"}, {"a", "b", "c"}), (Hunks{{2, 2, 2, 3}}));
  EXPECT_EQ(diff_lines({}, {"a"}), (Hunks{{0, 0, 0, 1}}));
}

TEST(DiffLines, PutsWhatIsGoneWhereADefinitionBegins) {
  const Lines with{"f {", "x", "}", "", "f {", "y", "}", "", "g {", "}"};
  const Lines without{"f {", "x", "}", "", "g {", "}"};
  EXPECT_EQ(diff_lines(with, without), (Hunks{{4, 8, 4, 4}}));
  const Lines calls{"m(", "a", ");", "m(", "b", ");", "m(", "c", ");"};
  const Lines fewer{"m(", "a", ");", "m(", "c", ");"};
  EXPECT_EQ(diff_lines(calls, fewer), (Hunks{{3, 6, 3, 3}}));
}

TEST(DiffLines, HunksTurnOneTextIntoTheOther) {
  std::mt19937 random(5);
  const Lines words{"a", "b", "c", "}", "", "d", "e"};
  for (int round = 0; round < 2000; ++round) {
    const auto pick = [&](std::size_t most) {
      Lines lines;
      for (std::size_t i = random() % most; i > 0; --i) {
        lines.push_back(words[random() % words.size()]);
      }
      return lines;
    };
    const Lines a = pick(30);
    Lines b = a;
    if (round % 2 == 0) {
      b = pick(30);
    } else if (!b.empty()) {
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(random() % b.size()));
    }
    const Hunks hunks = diff_lines(a, b);
    EXPECT_EQ(apply(a, b, hunks), b);
    std::size_t at = 0;
    for (const LineHunk& hunk : hunks) {
      EXPECT_LE(at, hunk.a_begin);
      EXPECT_TRUE(hunk.a_begin < hunk.a_end || hunk.b_begin < hunk.b_end);
      at = hunk.a_end;
    }
  }
}

}  // namespace
}  // namespace opgen::backend
