#include "opgen/text/utf8.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(Utf8, RoundTrip) {
  for (const char32_t c : {U'a',
                           U'\u007f',
                           U'\u0080',
                           U'\u07ff',
                           U'\u0800',
                           U'\uffff',
                           U'\U00010000',
                           U'\U0010ffff'}) {
    std::string text;
    append_utf8(text, c);
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_TRUE(point.valid);
    EXPECT_EQ(point.value, c);
    EXPECT_EQ(point.size, text.size());
  }
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  for (const std::string_view text : {std::string_view("\x80"),
                                      std::string_view("\xC0\x80"),
                                      std::string_view("\xC3"),
                                      std::string_view("\xC3x"),
                                      std::string_view("\xE0\x80\x80"),
                                      std::string_view("\xED\xA0\x80"),
                                      std::string_view("\xF4\x90\x80\x80"),
                                      std::string_view("\xF8\x80\x80\x80")}) {
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_FALSE(point.valid);
    EXPECT_EQ(point.size, 1U);
  }
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(count_characters("a\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80\xFF"), 5U);
}

}  // namespace

}  // namespace opgen::text
