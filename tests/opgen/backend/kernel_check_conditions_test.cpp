#include "opgen/backend/kernel_check_conditions.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "opgen/backend/kernel_check_tokens.h"

namespace opgen::backend {
namespace {

// What is left, with "if", "else" and "endif" for the conditions.
std::string alive(std::string_view source) {
  std::string result;
  for (const CppToken& token : without_dead_branches(tokenize_cpp(source))) {
    result += result.empty() ? "" : " ";
    switch (token.kind) {
      case CppToken::Kind::kIf:
        result += "if";
        break;
      case CppToken::Kind::kElse:
        result += "else";
        break;
      case CppToken::Kind::kEndif:
        result += "endif";
        break;
      default:
        result += token.text;
    }
  }
  return result;
}

std::string alive_if(const std::string& condition) {
  return alive("#if " + condition + "\na\n#else\nb\n#endif\n");
}

TEST(WithoutDeadBranches, DropsWhatIsNeverCompiled) {
  for (const char* never : {"0",
                            "0//c",
                            "0/*c*/",
                            " ( 0 )",
                            "false",
                            "0L",
                            "0x0u",
                            "0b0'0",
                            "!1",
                            "!(1)",
                            "!!0",
                            "0 && A",
                            "A && 0",
                            "A > 1 && (B || defined(C)) && false",
                            "0 || (1 && !1)",
                            "0 \\\n || 0"}) {
    EXPECT_EQ(alive_if(never), "b") << never;
  }
}

TEST(WithoutDeadBranches, DropsWhatFollowsABranchThatIsAlwaysTaken) {
  for (const char* always :
       {"1", "true", "2", "0xA", "!0", "A || 1", "!false && (1 || A)"}) {
    EXPECT_EQ(alive_if(always), "a") << always;
  }
  EXPECT_EQ(alive("#if A\na\n#elif 1\nb\n#elif B\nc\n#else\nd\n#endif"),
            "if a else b endif");
}

TEST(WithoutDeadBranches, KeepsWhatMayBeCompiled) {
  for (const char* sometimes : {"A",
                                "defined(A)",
                                "!defined A",
                                "0 + A",
                                "0 == A",
                                "1 - 1",
                                "A ? 0 : 1",
                                "1 || A ? 0 : 1",
                                "0 || A",
                                "1 && A",
                                "(0) == A",
                                "!0 == A",
                                "'a'",
                                "",
                                ")",
                                "(",
                                "0 )",
                                "!",
                                "&&"}) {
    EXPECT_EQ(alive_if(sometimes), "if a else b endif") << sometimes;
  }
  EXPECT_EQ(alive("#ifdef A\na\n#elifdef B\nb\n#endif"), "if a else b endif");
  EXPECT_EQ(alive("#ifndef A\na\n#endif"), "if a endif");
}

TEST(WithoutDeadBranches, GroupsBranches) {
  EXPECT_EQ(alive("#if 0\na\n#elif A\nb\n#elif 0\nc\n#else\nd\n#endif\ne"),
            "if b else d endif e");
  EXPECT_EQ(alive("#if 0\n#if A\na\n#else\nb\n#endif\nc\n#endif\nd"), "d");
  EXPECT_EQ(alive("#if A\n#if 0\na\n#else\nb\n#endif\n#else\nc\n#endif\nd"),
            "if b else c endif d");
}

TEST(WithoutDeadBranches, SurvivesAnyText) {
  EXPECT_EQ(alive("#endif\na\n#else\nb\n#elif A\nc"), "a b c");
  EXPECT_EQ(alive("#if 0\na"), "");
  EXPECT_EQ(alive("#if A\na"), "if a");
  const std::string deep =
      std::string(100'000, '(') + "0" + std::string(100'000, ')');
  EXPECT_EQ(alive_if(deep), "if a else b endif");
}

}  // namespace
}  // namespace opgen::backend
