#include "opgen/text/characters.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace opgen::text {
namespace {

// Every byte for which a function holds.
std::string members(bool (*holds)(char)) {
  std::string found;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (holds(c)) {
      found += c;
    }
  }
  return found;
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";

TEST(CharactersTest, Classes) {
  const std::string upper(kUpper);
  const std::string lower(kLower);
  const std::string digits(kDigits);
  EXPECT_EQ(members(is_digit), digits);
  EXPECT_EQ(members(is_upper), upper);
  EXPECT_EQ(members(is_lower), lower);
  EXPECT_EQ(members(is_letter), upper + lower);
  EXPECT_EQ(members(is_name_start), upper + "_" + lower);
  EXPECT_EQ(members(is_name_char), digits + upper + "_" + lower);
  EXPECT_EQ(members(is_space), "\t\n\v\f\r ");
  EXPECT_EQ(members(is_python_space), "\t\n\v\f\r\x1c\x1d\x1e\x1f ");
}

TEST(CharactersTest, WordsHoldEveryByteBeyondAscii) {
  std::string expected = members(is_name_char);
  for (int byte = 0x80; byte < 256; ++byte) {
    expected += static_cast<char>(byte);
  }
  EXPECT_EQ(members(is_word), expected);
}

TEST(CharactersTest, Case) {
  EXPECT_EQ(to_lower("QuantizedCPU_2\xc3\x84"), "quantizedcpu_2\xc3\x84");
  for (std::size_t i = 0; i < kUpper.size(); ++i) {
    EXPECT_EQ(to_upper(kLower[i]), kUpper[i]);
    EXPECT_EQ(to_lower(kUpper[i]), kLower[i]);
  }
  EXPECT_EQ(to_upper('_'), '_');
  EXPECT_EQ(to_upper('\xe4'), '\xe4');
}

TEST(CharactersTest, Ascii) {
  EXPECT_TRUE(is_ascii(""));
  EXPECT_TRUE(is_ascii("a\x7f"));
  EXPECT_FALSE(is_ascii("a\x80z"));
}

}  // namespace
}  // namespace opgen::text
