#include "opgen/text/python_text.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

using Parts = std::vector<std::string_view>;

TEST(PythonText, SplitlinesKnowsEveryLineBreak) {
  EXPECT_EQ(splitlines(""), Parts{});
  EXPECT_EQ(splitlines("\n"), Parts{""});
  EXPECT_EQ(splitlines("a\nb\n"), (Parts{"a", "b"}));
  EXPECT_EQ(splitlines("a\r\nb\rc"), (Parts{"a", "b", "c"}));
  EXPECT_EQ(splitlines("a\x0b"
                       "b\x0c"
                       "c\x1c"
                       "d\x1d"
                       "e\x1e"
                       "f\x1f"),
            (Parts{"a", "b", "c", "d", "e", "f\x1f"}));
  EXPECT_EQ(splitlines("\xC3\xA9\xC2\x85"
                       "b\xE2\x80\xA9"
                       "c"),
            (Parts{"\xC3\xA9", "b", "c"}));
  EXPECT_EQ(splitlines("a\r\nb", true), (Parts{"a\r\n", "b"}));
  EXPECT_EQ(splitlines("a\n\nb\n", true), (Parts{"a\n", "\n", "b\n"}));
}

TEST(PythonText, ScanTellsPlainTextAndTrailingSpace) {
  const std::string filler(200, 'x');
  EXPECT_TRUE(scan(filler + "\n").plain);
  EXPECT_FALSE(scan(filler + "\r" + filler).plain);
  EXPECT_FALSE(scan("\xC3\xA9").plain);
  EXPECT_FALSE(scan(filler + " x\n\n").trailing_space);
  for (std::size_t size = 0; size < 130; ++size) {
    const std::string text = std::string(size, 'x') + " \n" + filler;
    EXPECT_TRUE(scan(text).trailing_space) << size;
  }
}

TEST(PythonText, StripTakesUnicodeSpace) {
  EXPECT_EQ(strip(" \t\n\x1f"
                  "a b\xC2\xA0\xE3\x80\x80"),
            "a b");
  EXPECT_EQ(rstrip("a\xE2\x80\x8B"), "a\xE2\x80\x8B");
  EXPECT_EQ(lstrip("   "), "");
  EXPECT_EQ(rstrip("\xA0"), "\xA0");
}

TEST(PythonText, IndentSkipsBlankLines) {
  EXPECT_EQ(indent("a\n\n  \nb", "--"), "--a\n\n  \n--b");
  EXPECT_EQ(indent("a\r\nb\n", " "), " a\r\n b\n");
}

TEST(PythonText, DedentRemovesTheCommonMargin) {
  EXPECT_EQ(dedent("    a\n      b\n\n   \n    c"), "a\n  b\n\n\nc");
  EXPECT_EQ(dedent("\ta\n\t b\n  c\n"), "\ta\n\t b\n  c\n");
  EXPECT_EQ(dedent("\n  x\n "), "\nx\n");
  EXPECT_EQ(dedent("  \n"), "\n");
}

TEST(PythonText, JoinSplitReplace) {
  EXPECT_EQ(join(", ", std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(join(", ", std::vector<std::string>{}), "");
  EXPECT_EQ(split("a, b, ", ", "), (Parts{"a", "b", ""}));
  EXPECT_EQ(split("", ","), Parts{""});
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replace_all("x", "y", "z"), "x");
}

TEST(PythonText, ReprChoosesQuotesAndEscapes) {
  EXPECT_EQ(repr_string("a'b"), "\"a'b\"");
  EXPECT_EQ(repr_string("a\"b"), "'a\"b'");
  EXPECT_EQ(repr_string("a'\"b"), "'a\\'\"b'");
  EXPECT_EQ(repr_string("\n\t\\"), "'\\n\\t\\\\'");
  EXPECT_EQ(repr_string("\xC3\xA9\x7f\xC2\xA0\xE2\x80\x8B\xE2\x80\xA8"),
            "'\xC3\xA9\\x7f\\xa0\\u200b\\u2028'");
  EXPECT_EQ(repr_string("\xE6\x97\xA5\xF0\x9F\x98\x80\xEE\x80\x80"),
            "'\xE6\x97\xA5\xF0\x9F\x98\x80\\ue000'");
  EXPECT_EQ(repr_string("\xFF"), "'\\udcff'");
}

}  // namespace

}  // namespace opgen::text
