#include "opgen/emit/register_schema.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/model/selective_builder.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using Functions = std::vector<std::unique_ptr<model::NativeFunction>>;

std::unique_ptr<model::NativeFunction> function_in(
    std::string ns, std::string_view schema, std::vector<std::string> tags) {
  auto f = api::function_of(schema);
  f->namespace_ = std::move(ns);
  f->tags = std::move(tags);
  return f;
}

TEST(RegisterSchema, NamesEachSetOfTagsOnce) {
  const auto all = model::SelectiveBuilder::get_nop_selector();
  RegisterSchema register_schema(all);
  EXPECT_EQ(register_schema(*function_in("aten", "f() -> ()", {})),
            "m.def(\"f() -> ()\", {});\n");
  EXPECT_EQ(
      register_schema(*function_in("aten", "g() -> ()", {"core", "pointwise"})),
      "const std::vector<at::Tag> tags_0 = {at::Tag::core, "
      "at::Tag::pointwise};\nm.def(\"g() -> ()\", tags_0);\n");
  EXPECT_EQ(register_schema(*function_in("aten", "h() -> ()", {"core"})),
            "const std::vector<at::Tag> tags_1 = {at::Tag::core};\n"
            "m.def(\"h() -> ()\", tags_1);\n");
  EXPECT_EQ(
      register_schema(*function_in("aten", "i() -> ()", {"core", "pointwise"})),
      "m.def(\"i() -> ()\", tags_0);\n");
}

TEST(RegisterSchema, LeavesOutWhatIsNotSelected) {
  const auto some =
      model::SelectiveBuilder::from_legacy_op_registration_allow_list(
          {"aten::f"}, true, false);
  RegisterSchema register_schema(some);
  EXPECT_NE(register_schema(*function_in("aten", "f() -> ()", {})),
            std::nullopt);
  EXPECT_EQ(register_schema(*function_in("aten", "g() -> ()", {"core"})),
            std::nullopt);
}

TEST(RegisterSchema, GivesOtherNamespacesTheirOwnBlocks) {
  Functions functions;
  functions.push_back(function_in("mine", "f() -> ()", {"core"}));
  functions.push_back(function_in("aten", "g() -> ()", {"core"}));
  functions.push_back(function_in("quantized", "h() -> ()", {}));
  functions.push_back(function_in("mine", "i() -> ()", {"core"}));
  const auto made = get_native_function_schema_registrations(
      functions, model::SelectiveBuilder::get_nop_selector());
  EXPECT_EQ(made.aten_schema_registrations,
            std::vector<std::string>{
                "const std::vector<at::Tag> tags_0 = {at::Tag::core};\n"
                "m.def(\"g() -> ()\", tags_0);\n"});
  EXPECT_EQ(made.schema_registrations,
            "\nTORCH_LIBRARY(mine, m) {\n"
            "  const std::vector<at::Tag> tags_0 = {at::Tag::core};\n"
            "m.def(\"f() -> ()\", tags_0);\n"
            "\tm.def(\"i() -> ()\", tags_0);\n\n};"
            "\nTORCH_LIBRARY_FRAGMENT(quantized, m) {\n"
            "  m.def(\"h() -> ()\", {});\n\n};");
}

}  // namespace
}  // namespace opgen::emit
