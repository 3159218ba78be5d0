#include "opgen/emit/cpp_string.h"

#include <gtest/gtest.h>

namespace opgen::emit {
namespace {

TEST(CppString, Quotes) {
  EXPECT_EQ(cpp_string(""), "\"\"");
  EXPECT_EQ(cpp_string("add(Tensor self) -> Tensor"),
            "\"add(Tensor self) -> Tensor\"");
}

TEST(CppString, EscapesWhatPythonsReplaceChainEscapes) {
  EXPECT_EQ(cpp_string("a\\b\"c"), "\"a\\\\b\\\"c\"");
  EXPECT_EQ(cpp_string("\a\b\f\n\v\t"), "\"\\a\\b\\f\\n\\v\\t\"");
}

TEST(CppString, LeavesOtherBytes) {
  EXPECT_EQ(cpp_string("\r\x01\xc3\xa9'"), "\"\r\x01\xc3\xa9'\"");
}

}  // namespace
}  // namespace opgen::emit
