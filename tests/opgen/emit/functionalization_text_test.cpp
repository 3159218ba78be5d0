#include "opgen/emit/functionalization_text.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace opgen::emit {
namespace {

TEST(FunctionalizationText, fills_every_occurrence_of_a_hole) {
  EXPECT_EQ(filled("$a$ = f($a$, $b$);", {{"a", "x"}, {"b", "y"}}),
            "x = f(x, y);");
}

TEST(FunctionalizationText, appends_to_what_is_there) {
  std::string text = "1";
  fill(text, "2", {});
  EXPECT_EQ(text, "12");
}

TEST(FunctionalizationText, does_not_look_into_what_it_fills_in) {
  EXPECT_EQ(filled("$a$", {{"a", "$b$"}}), "$b$");
}

TEST(FunctionalizationText, refuses_holes_that_nothing_fills) {
  EXPECT_THROW(filled("$a$", {{"b", "x"}}), std::logic_error);
  EXPECT_THROW(filled("$a", {{"a", "x"}}), std::logic_error);
}

}  // namespace
}  // namespace opgen::emit
