#include "opgen/emit/aoti_fallback_ops_literal.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opgen::emit {
namespace {

PythonModule expect_reads(std::string_view source) {
  PythonModule module;
  const auto error = read_python_module(source, module);
  EXPECT_EQ(error.line, 0) << error.message;
  return module;
}

void expect_error(std::string_view source,
                  int line,
                  int column,
                  std::string_view message) {
  PythonModule module;
  const auto error = read_python_module(source, module);
  EXPECT_EQ(error.message, message) << source;
  EXPECT_EQ(error.line, line) << source;
  EXPECT_EQ(error.column, column) << source;
}

TEST(PythonLiteral, reads_nested_data) {
  const auto module = expect_reads(R"py("""About."""
from __future__ import annotations
# comment
ops: dict[str, dict[str, str | list[str]]] = {  # comment
    "a": {},
    'b': {
        "v2": ["x", "y"],
        "s": ("z",),
    },
    "c": "on"
         "e\n",
}
names = {"p", "q"}
)py");
  const PythonLiteral* ops = module.find("ops");
  ASSERT_NE(ops, nullptr);
  EXPECT_THAT(ops->keys, ::testing::ElementsAre("a", "b", "c"));
  EXPECT_EQ(ops->find("a")->kind, PythonLiteral::Kind::kDict);
  EXPECT_EQ(ops->find("b")->find("v2")->items.at(1).text, "y");
  EXPECT_EQ(ops->find("b")->find("s")->kind, PythonLiteral::Kind::kList);
  EXPECT_EQ(ops->find("c")->text, "one\n");
  EXPECT_EQ(ops->find("d"), nullptr);
  EXPECT_EQ(module.find("names")->kind, PythonLiteral::Kind::kList);
  EXPECT_EQ(module.find("other"), nullptr);
}

TEST(PythonLiteral, the_last_of_equal_names_counts) {
  const auto module =
      expect_reads("a = {'x': '1', 'x': '2'}\nb = '3'\nb = '4'");
  EXPECT_EQ(module.find("a")->find("x")->text, "2");
  EXPECT_EQ(module.find("b")->text, "4");
}

TEST(PythonLiteral, anything_else_is_an_error_with_its_position) {
  expect_error(
      "a = 1\n", 1, 5, "expected a string, a list, a set, a tuple or a dict");
  expect_error("a = {}\nprint(a)\n", 2, 1, "expected an assignment");
  expect_error("a = {} | b\n", 1, 8, "expected the end of the line");
  expect_error("a = {'x': {}, 'y'}\n", 1, 15, "a dict and a set in one");
  expect_error("a = {'x', 'y': {}}\n", 1, 11, "a dict and a set in one");
  expect_error("a = {['x']: {}}\n", 1, 6, "a key must be a string");
  expect_error("a = ['x' ;]\n", 1, 10, "expected , or ]");
  expect_error("a = 'x\n", 1, 5, "a string without an end");
  expect_error("a = '\\q'\n", 1, 7, "an escape sequence that is not supported");
  expect_error(
      "a = '''x'''\n", 1, 7, "a string in three quotes cannot stand here");
  expect_error("\"\"\"x\n", 1, 1, "a string without an end");
  expect_error("a: str\n", 1, 1, "expected an assignment");
  expect_error("a: str", 1, 7, "expected = after a type");
  expect_error(
      "a = [", 1, 6, "expected a string, a list, a set, a tuple or a dict");
}

TEST(PythonLiteral, nesting_is_limited) {
  expect_error("a = " + std::string(100, '['), 1, 37, "nested too deeply");
}

}  // namespace
}  // namespace opgen::emit
