#include "opgen/backend/kernel_check_tokens.h"

#include <cstddef>
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
  using Kind = CppToken::Kind;
  const std::vector<CppToken> expected = {{Kind::kIf, " 0 "},
                                          {Kind::kElif, " A"},
                                          {Kind::kElse, " // b"},
                                          {Kind::kEndif, "#endif"},
                                          {Kind::kIf, "# ifdef A"},
                                          {Kind::kElif, "#elifdef B"},
                                          {Kind::kEndif, "#endif"},
                                          {Kind::kIf, " A \\\n && B"}};
  const auto tokens = tokenize_cpp(
      "#if 0 \n#elif A\n# else // b\n#endif\n# ifdef A\n#elifdef B\n#endif\n"
      "#if A \\\n && B\n");
  ASSERT_EQ(tokens.size(), expected.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(tokens[i].kind, expected[i].kind) << i;
    EXPECT_EQ(tokens[i].text, expected[i].text) << i;
  }
}

TEST(TokenizeCpp, ReachesTheEndOfUnfinishedText) {
  EXPECT_EQ(texts("\"a"), Texts{"\"a"});
  EXPECT_EQ(texts("R\"a"), Texts{"R\"a"});
  EXPECT_EQ(texts("/* a"), Texts{});
  EXPECT_EQ(texts("// a\\"), Texts{});
}

}  // namespace
}  // namespace opgen::backend
