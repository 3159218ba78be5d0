#include "opgen/emit/ufunc_loops.h"

#include <gtest/gtest.h>

#include "tests/opgen/emit/ufunc_fixture.h"

namespace opgen::emit {
namespace {

TEST(UfuncLoops, AreFoundByTheirKeys) {
  UfuncAdd add;
  add.add_loop(model::UfuncKey::kGeneric, "add", {});
  ASSERT_NE(find_loop(add.group, model::UfuncKey::kGeneric), nullptr);
  EXPECT_EQ(find_loop(add.group, model::UfuncKey::kGeneric)->name, "add");
  EXPECT_EQ(find_loop(add.group, model::UfuncKey::kScalarOnly), nullptr);
}

TEST(UfuncLoops, AreSeparatedByALine) {
  std::string cases;
  append_dispatch_case(model::ScalarType::kHalf, "x", cases);
  append_dispatch_case(model::ScalarType::kBFloat16, "y", cases);
  EXPECT_EQ(cases,
            "\nAT_DISPATCH_CASE(at::ScalarType::Half,\n  [&]() {\n    x\n  "
            "}\n)\n"
            "\n\nAT_DISPATCH_CASE(at::ScalarType::BFloat16,\n  [&]() {\n    "
            "y\n  }\n)\n");
}

}  // namespace
}  // namespace opgen::emit
