#include "opgen/text/sha1.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

std::string digest(std::size_t size) {
  return hex(sha1(std::string(size, 'a')));
}

TEST(Sha1, AgreesWithHashlib) {
  EXPECT_EQ(digest(0), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest(55), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
  EXPECT_EQ(digest(56), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
  EXPECT_EQ(digest(64), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
  EXPECT_EQ(digest(119), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
}

TEST(StringStableHash, AgreesWithTorchgen) {
  EXPECT_EQ(string_stable_hash("add", 4), 0U);
  EXPECT_EQ(string_stable_hash("add", 5), 2U);
  EXPECT_EQ(string_stable_hash("add", 10), 2U);
  EXPECT_EQ(string_stable_hash("_foreach_add", 4), 2U);
  EXPECT_EQ(string_stable_hash("mul", 10), 0U);
  EXPECT_EQ(string_stable_hash("", 4), 2U);
  EXPECT_EQ(string_stable_hash("\xC3\xA9", 4), 1U);
  EXPECT_EQ(string_stable_hash("add", 1), 0U);
}

TEST(StringStableHash, TakesTextThatLatin1CannotHold) {
  EXPECT_LT(string_stable_hash("\xE6\x97\xA5", 7), 7U);
  EXPECT_LT(string_stable_hash("\xFF", 7), 7U);
}

}  // namespace

}  // namespace opgen::text
