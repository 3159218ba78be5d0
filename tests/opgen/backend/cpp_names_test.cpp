#include "opgen/backend/cpp_names.h"

#include <gtest/gtest.h>

namespace opgen::backend {
namespace {

TEST(CppNames, TellsNames) {
  for (const char* name : {"a", "_", "A1_b", "classes", "kInt", "final"}) {
    EXPECT_TRUE(is_identifier(name)) << name;
  }
  for (const char* text : {"",
                           "1a",
                           "a b",
                           "a-b",
                           "a::b",
                           "a\"",
                           "a\n",
                           "\xC3\xA9",
                           "class",
                           "alignas",
                           "xor_eq",
                           "while",
                           "co_await"}) {
    EXPECT_FALSE(is_identifier(text)) << text;
  }
}

TEST(CppNames, TellsQualifiedNames) {
  EXPECT_TRUE(is_qualified_identifier("a"));
  EXPECT_TRUE(is_qualified_identifier("a::b::c1"));
  for (const char* text :
       {"", "::a", "a::", "a::::b", "a:b", "a::1", "a::new"}) {
    EXPECT_FALSE(is_qualified_identifier(text)) << text;
  }
}

TEST(CppNames, TellsPartsOfNames) {
  for (const char* text : {"", "1", "int", "Tensor_out"}) {
    EXPECT_TRUE(is_part_of_identifier(text)) << text;
  }
  for (const char* text : {"a b", "\"", "\\", "a.b"}) {
    EXPECT_FALSE(is_part_of_identifier(text)) << text;
  }
}

}  // namespace
}  // namespace opgen::backend
