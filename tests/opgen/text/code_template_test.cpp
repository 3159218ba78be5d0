#include "opgen/text/code_template.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

using List = std::vector<std::string>;

std::string fill(const std::string& pattern, const Env& env) {
  const CodeTemplate code(pattern);
  std::string text = code.substitute(env);
  EXPECT_EQ(text, code.substitute(EnvView(env)));
  return text;
}

TEST(CodeTemplate, FillsHolesInsideALine) {
  Env env;
  env.set("name", "add").set("args", List{"int a", "int b"});
  EXPECT_EQ(fill("int ${name}($args);", env), "int add(int a, int b);");
  EXPECT_EQ(fill("$name$name", env), "addadd");
}

TEST(CodeTemplate, CommasNeedAListWithElements) {
  Env env;
  env.set("some", List{"b", "c"}).set("none", List{}).set("text", "t");
  EXPECT_EQ(fill("f(a${,some})", env), "f(a, b, c)");
  EXPECT_EQ(fill("f(${some,}a)", env), "f(b, c, a)");
  EXPECT_EQ(fill("f(a${,some,}d)", env), "f(a, b, c, d)");
  EXPECT_EQ(fill("f(a${,none,})", env), "f(a)");
  EXPECT_EQ(fill("f(a${,text,})", env), "f(at)");
}

TEST(CodeTemplate, BlocksAreIndentedAndTrimmed) {
  Env env;
  env.set("body", List{"if (x) {  \n  y;\n}\n\n", "", "\n", "z;\t"});
  EXPECT_EQ(fill("{\n  ${body}\n}", env),
            "{\n  if (x) {\n    y;\n  }\n\n\n  z;\n}");
  EXPECT_EQ(fill("${body}\n", env), "if (x) {\n  y;\n}\n\n\nz;\n");
}

TEST(CodeTemplate, ABlockKeepsLeadingEmptyLinesOnly) {
  Env env;
  env.set("body", List{"\n\na", "\n\n"}).set("blank", List{" \n", "\t"});
  EXPECT_EQ(fill("  $body;", env), "\n\n  a;");
  EXPECT_EQ(fill("  $blank;", env), ";");
}

TEST(CodeTemplate, TextAtTheStartOfALineIsABlockToo) {
  Env env;
  env.set("text", "a\nb").set("list", List{"a", "b"});
  EXPECT_EQ(fill("  $text", env), "  a\n  b");
  EXPECT_EQ(fill("\t ${,list,}x", env), "\t a\n\t bx");
  EXPECT_EQ(fill("x $text", env), "x a\nb");
  EXPECT_EQ(fill(" $text $list", env), " a\n b a, b");
}

TEST(CodeTemplate, LineBreaksAreThoseOfSplitlines) {
  Env env;
  env.set("body",
          List{"a\r\nb\x0b"
               "c\x1c"
               "d\xC2\x85"
               "e\xE2\x80\xA8"
               "f",
               "\xC3\xA9 \xE3\x80\x80"});
  EXPECT_EQ(fill(" $body", env), " a\n b\n c\n d\n e\n f\n \xC3\xA9");
  EXPECT_EQ(fill("\f$body", Env().set("body", List{"a", "b"})), "\na\n\nb");
}

TEST(CodeTemplate, LongElementsTakeTheFastPath) {
  const std::string line(100, 'x');
  const std::string element = line + "\n" + line + "\n\n" + line + "\n\n";
  Env env;
  env.set("body", List{element, element});
  EXPECT_EQ(fill("${body}", env),
            line + "\n" + line + "\n\n" + line + "\n\n" + line + "\n" + line +
                "\n\n" + line);
  env.set("body", List{line + " \n" + line});
  EXPECT_EQ(fill("${body}", env), line + "\n" + line);
}

TEST(CodeTemplate, LeavesOtherDollarSignsAlone) {
  const Env env;
  for (const std::string_view text :
       {"$", "$$", "$1", "${", "${a", "${a b}", "${,}", "${1}", "a$"}) {
    EXPECT_EQ(fill(std::string(text), env), text);
  }
}

TEST(CodeTemplate, AHoleThatNothingFillsThrows) {
  const CodeTemplate code("$here ${gone}");
  try {
    code.substitute(Env().set("here", "x"));
    FAIL();
  } catch (const MissingValueError& error) {
    EXPECT_NE(std::string(error.what()).find("'gone'"), std::string::npos);
  }
}

TEST(CodeTemplate, ReportsThePlacesOfAValue) {
  const CodeTemplate code("void f${id}() {\n  $id\n}");
  CodeTemplate::Places places{"id", {}};
  EnvView env;
  env.set("id", std::string_view("_0"));
  const std::string text = code.substitute(env, places);
  ASSERT_EQ(places.offsets.size(), 2U);
  EXPECT_EQ(text.substr(places.offsets[0], 2), "_0");
  EXPECT_EQ(text.substr(places.offsets[1], 2), "_0");
  EXPECT_EQ(places.offsets[0], text.find("_0"));
  EXPECT_EQ(places.offsets[1], text.rfind("_0"));
}

TEST(Env, FindsWhatWasSetLast) {
  Env env;
  env.set("a", "1").set("a", List{"2"});
  ASSERT_NE(env.find("a"), nullptr);
  EXPECT_EQ(*env.find("a"), Value(List{"2"}));
  EXPECT_EQ(env.find("b"), nullptr);
}

}  // namespace

}  // namespace opgen::text
