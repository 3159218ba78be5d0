#include "opgen/text/docstrings.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/text/python_text.h"

namespace opgen::text {

namespace {

std::string spaced(std::string text) {
  space_docstrings(text);
  return text;
}

TEST(Docstrings, OneEmptyLineBeforeADefinition) {
  EXPECT_EQ(spaced("\"\"\"\ndef f"), "\"\"\"\n\ndef f");
  EXPECT_EQ(spaced("\"\"\"\n\n\n\n  class A"), "\"\"\"\n\n  class A");
  EXPECT_EQ(spaced("x\"\"\"\n  @a(b)\n\n @c\n  def f\n\"\"\"\ndef"),
            "x\"\"\"\n\n  @a(b)\n\n @c\n  def f\n\"\"\"\n\ndef");
}

TEST(Docstrings, OtherTextStays) {
  for (const std::string text : {"",
                                 R"(""")",
                                 R"("""def)",
                                 "\"\"\"\nx = 1",
                                 "\"\"\"\n@\ndef",
                                 "\"\"\"\n@a",
                                 "\"\"\"\n@a\nx"}) {
    EXPECT_EQ(spaced(text), text);
  }
}

TEST(Docstrings, FindsQuotesAtEveryPlace) {
  using Parts = std::vector<std::string>;
  const auto join_parts = [](std::string_view middle, const Parts& parts) {
    return join(middle, parts);
  };
  for (std::size_t size = 0; size < 600; ++size) {
    const std::string before(size, 'x');
    const std::string after(600 - size, 'y');
    EXPECT_EQ(spaced(join_parts("\"\"\"\ndef", {before, after})),
              join_parts("\"\"\"\n\ndef", {before, after}));
  }
}

}  // namespace

}  // namespace opgen::text
