#include "opgen/emit/native_functions_namespace.h"

#include <gtest/gtest.h>

#include "opgen/emit/register_dispatch_key_error.h"
#include "tests/opgen/emit/register_dispatch_key_fixture.h"

namespace opgen::emit {
namespace {

TEST(NativeFunctionsNamespace, OpensAndClosesEachLevel) {
  const NamespaceHelper helper{"torch::lazy"};
  EXPECT_EQ(helper.prologue, "namespace torch {\nnamespace lazy {");
  EXPECT_EQ(helper.epilogue, "} // namespace lazy\n} // namespace torch");
}

TEST(NativeFunctionsNamespace, LimitsTheLevels) {
  EXPECT_NO_THROW((NamespaceHelper{"a::b::c", 3}));
  EXPECT_THROW((NamespaceHelper{"a::b::c", 2}), std::runtime_error);
}

TEST(NativeFunctionsNamespace, GroupsDeclarationsAndDropsRepetitions) {
  const auto f = api::function_of("f() -> ()");
  GroupedDeclarations grouped;
  const std::size_t empty = grouped.index_of("empty", *f);
  const std::size_t a = grouped.index_of("a", *f);
  EXPECT_EQ(grouped.index_of("empty", *f), empty);
  grouped.texts(a) = {"x;\n\ny;\n", "z;", "x;\n\ny;\n"};
  EXPECT_EQ(grouped.declarations(3, true),
            Texts{"namespace a {\nx;\ny;\nz;\n} // namespace a\n        "});
  EXPECT_EQ(grouped.declarations(3, false).size(), 2);
}

TEST(NativeFunctionsNamespace, BlamesTheFunctionThatHasTooManyLevels) {
  const auto f = api::function_of("f() -> ()");
  GroupedDeclarations grouped;
  grouped.index_of("a::b::c", *f);
  EXPECT_THROW(grouped.declarations(2, false), EmitError);
}

}  // namespace
}  // namespace opgen::emit
