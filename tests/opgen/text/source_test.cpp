#include "opgen/text/source.h"

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(SourceFile, CountsCharactersFromOne) {
  const SourceFile file("f", "ab\n\xC3\xA9\xE6\x97\xA5x\n");
  EXPECT_EQ(file.position(0), (Position{1, 1}));
  EXPECT_EQ(file.position(2), (Position{1, 3}));
  EXPECT_EQ(file.position(3), (Position{2, 1}));
  EXPECT_EQ(file.position(5), (Position{2, 2}));
  EXPECT_EQ(file.position(8), (Position{2, 3}));
  EXPECT_EQ(file.position(10), (Position{3, 1}));
  EXPECT_EQ(file.position(1000), (Position{3, 1}));
}

TEST(SourceFile, LinesHaveNoEnd) {
  const SourceFile file("f", "a\r\nb\rc\n\nd");
  ASSERT_EQ(file.line_count(), 5U);
  EXPECT_EQ(file.line(1), "a");
  EXPECT_EQ(file.line(2), "b");
  EXPECT_EQ(file.line(3), "c");
  EXPECT_EQ(file.line(4), "");
  EXPECT_EQ(file.line(5), "d");
  EXPECT_EQ(file.line_start(3), 5U);
}

TEST(SourceFile, EmptyFileHasOneLine) {
  const SourceFile file("f", "");
  EXPECT_EQ(file.line_count(), 1U);
  EXPECT_EQ(file.line(1), "");
  EXPECT_EQ(file.position(0), (Position{1, 1}));
}

}  // namespace

}  // namespace opgen::text
