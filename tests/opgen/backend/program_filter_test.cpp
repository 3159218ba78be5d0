#include "opgen/backend/program_filter.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "loaded_program.h"

namespace opgen::backend {
namespace {

using model::DispatchKey;
using model::NativeFunctions;

using Names = std::vector<std::string>;

Names names_of(const Operators& operators) {
  Names names;
  for (const auto* f : operators) {
    names.push_back(f->func.name.str());
  }
  return names;
}

Names names_in(const NativeFunctions& program) {
  Names names;
  for (const auto& f : program.functions) {
    names.push_back(f->func.name.str());
  }
  return names;
}

const Names kAll{"add", "add_", "add.out", "neg", "neg_", "neg.out", "equal"};

class ProgramFilterTest : public testing::Test {
 protected:
  NativeFunctions& program() { return *loaded_.functions; }

  const model::NativeFunction& named(const char* name) {
    return *program().find(name);
  }

  Operators family(const char* name) {
    return family_of(program(), named(name));
  }

  const model::NativeFunctionsGroup* group(std::size_t item) {
    return std::get<const model::NativeFunctionsGroup*>(
        program().grouped_native_functions.at(item));
  }

  schema::LoadedFunctions loaded_ = load_text(kGroupedOperators);
};

TEST_F(ProgramFilterTest, FamiliesAreGroups) {
  EXPECT_EQ(names_of(family("add_")), (Names{"add", "add_", "add.out"}));
  EXPECT_EQ(names_of(family("equal")), Names{"equal"});
}

TEST_F(ProgramFilterTest, TakesFamiliesOutAndPutsThemBack) {
  {
    ProgramFilter filter(program());
    filter.without(family("add"));
    EXPECT_EQ(names_in(program()), (Names{"neg", "neg_", "neg.out", "equal"}));
    EXPECT_EQ(program().grouped_native_functions.size(), 2U);
    filter.restore();
    EXPECT_EQ(names_in(program()), kAll);
    filter.only(family("equal"));
    EXPECT_EQ(names_in(program()), Names{"equal"});
  }
  EXPECT_EQ(names_in(program()), kAll);
  EXPECT_EQ(program().grouped_native_functions.size(), 3U);
  EXPECT_EQ(group(0)->inplace, &named("add_"));
}

TEST_F(ProgramFilterTest, GroupsForgetAMember) {
  ProgramFilter filter(program());
  const Operators family = this->family("neg");
  filter.only_without(family, named("neg_"));
  EXPECT_EQ(names_in(program()), (Names{"neg", "neg.out"}));
  EXPECT_EQ(group(0)->inplace, nullptr);
  EXPECT_EQ(group(0)->out->func.name.str(), "neg.out");
  filter.restore();
  EXPECT_NE(group(1)->inplace, nullptr);
}

TEST_F(ProgramFilterTest, AMemberLosesItsKernelsUnlessTheyAreStructured) {
  ProgramFilter filter(program());
  const auto has_kernel = [&](const char* name) {
    return program()
        .backend_indices.at(DispatchKey::kCPU)
        .has_kernel(named(name));
  };
  const Operators neg = family("neg");
  const Operators add = family("add");
  filter.only_without(neg, named("neg.out"));
  EXPECT_FALSE(has_kernel("neg.out"));
  filter.only_without(add, named("add.out"));
  EXPECT_TRUE(has_kernel("add.out"));
  filter.restore();
  EXPECT_TRUE(has_kernel("neg.out"));
}

}  // namespace
}  // namespace opgen::backend
