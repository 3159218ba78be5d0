#include "opgen/backend/kernel_check_tokens.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::backend {
namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const CppToken& token : tokenize_cpp(source)) {
    result.emplace_back(token.text);
  }
  return result;
}

using Texts = std::vector<std::string>;

TEST(TokenizeCpp, SplitsNamesAndPunctuation) {
  EXPECT_EQ(texts("a::b<c>->d()"),
            (Texts{"a", "::", "b", "<", "c", ">", "->", "d", "(", ")"}));
}

TEST(TokenizeCpp, KeepsLiteralsWhole) {
  EXPECT_EQ(texts("1'000.5e-3f+\"a\\\"b\"+'\\''"),
            (Texts{"1'000.5e-3f", "+", "\"a\\\"b\"", "+", "'\\''"}));
  EXPECT_EQ(texts("R\"x(a)\"b)x\";"), (Texts{"R\"x(a)\"b)x\"", ";"}));
}

TEST(TokenizeCpp, DropsCommentsAndDirectives) {
  EXPECT_EQ(texts("a // b\\\nc\nd/*e\n*/f\n#include <g>\nh"),
            (Texts{"a", "d", "f", "h"}));
}

TEST(TokenizeCpp, TellsConditions) {
  const auto tokens = tokenize_cpp(
      "#if 0 \n#elif A\n# else\n#endif\n#ifdef A\n#endif\n#if 0x1\n");
  std::vector<CppToken::Kind> kinds;
  for (const CppToken& token : tokens) {
    kinds.push_back(token.kind);
  }
  using Kind = CppToken::Kind;
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::kIfZero,
                               Kind::kElse,
                               Kind::kElse,
                               Kind::kEndif,
                               Kind::kIf,
                               Kind::kEndif,
                               Kind::kIf}));
}

TEST(TokenizeCpp, ReachesTheEndOfUnfinishedText) {
  EXPECT_EQ(texts("\"a"), Texts{"\"a"});
  EXPECT_EQ(texts("R\"a"), Texts{"R\"a"});
  EXPECT_EQ(texts("/* a"), Texts{});
  EXPECT_EQ(texts("// a\\"), Texts{});
}

}  // namespace
}  // namespace opgen::backend
