#include "opgen/model/operator_name.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace opgen::model {
namespace {

OperatorName make(std::string base, std::string overload) {
  OperatorName name;
  name.name.base = std::move(base);
  name.overload_name = std::move(overload);
  return name;
}

OperatorName inplace(OperatorName name) {
  name.name.inplace = true;
  return name;
}

OperatorName dunder(OperatorName name) {
  name.name.dunder_method = true;
  return name;
}

OperatorName functional(OperatorName name) {
  name.name.functional_overload = true;
  return name;
}

OperatorName in_aten(OperatorName name) {
  name.name.namespace_ = "aten";
  return name;
}

TEST(OperatorNameTest, Prints) {
  EXPECT_EQ(make("add", "Tensor").str(), "add.Tensor");
  EXPECT_EQ(inplace(make("add", "")).str(), "add_");
  EXPECT_EQ(dunder(make("and", "")).str(), "__and__");
  EXPECT_EQ(inplace(dunder(make("or", ""))).str(), "__ior__");
  EXPECT_EQ(functional(make("norm", "")).str(), "norm_functional");
  EXPECT_EQ(in_aten(make("add", "")).str(), "aten::add");
}

TEST(OperatorNameTest, UnambiguousNameJoinsTheOverload) {
  EXPECT_EQ(make("add", "Tensor").unambiguous_name(), "add_Tensor");
  EXPECT_EQ(make("add", "").unambiguous_name(), "add");
}

TEST(OperatorNameTest, RemoveInplaceKeepsOverloadAndDunder) {
  const OperatorName name = inplace(dunder(make("or", "Scalar")));
  EXPECT_EQ(name.remove_inplace().str(), "__or__.Scalar");
}

TEST(OperatorNameTest, WithOverloadDropsFunctionalAndNamespace) {
  const OperatorName name = functional(in_aten(make("norm", "")));
  EXPECT_EQ(name.with_overload("out").str(), "norm.out");
}

}  // namespace
}  // namespace opgen::model
