#include "opgen/model/type.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::model {
namespace {

const Type* tensor() {
  return Type::base(BaseTy::kTensor);
}

TEST(TypeTest, NamesOfBaseTypesParseBack) {
  for (std::size_t i = 0; i < kBaseTyCount; ++i) {
    const auto base = static_cast<BaseTy>(i);
    EXPECT_EQ(parse_base_ty(name_of(base)), base);
  }
  EXPECT_EQ(parse_base_ty("tensor"), std::nullopt);
}

TEST(TypeTest, EqualTypesHaveOneAddress) {
  EXPECT_EQ(Type::optional(tensor()), Type::optional(tensor()));
  EXPECT_EQ(Type::list(tensor(), 2), Type::list(tensor(), 2));
  EXPECT_NE(Type::list(tensor(), 2), Type::list(tensor(), 3));
  EXPECT_NE(Type::list(tensor(), 2), Type::list(tensor(), std::nullopt));
  EXPECT_EQ(Type::custom_class("a.B"), Type::custom_class("a.B"));
}

TEST(TypeTest, SpellsNestedTypes) {
  const Type* type = Type::optional(
      Type::list(Type::optional(Type::base(BaseTy::kSymInt)), 4));
  EXPECT_EQ(type->str(), "SymInt?[4]?");
  EXPECT_EQ(Type::custom_class("a.B")->str(), "__torch__.torch.classes.a.B");
}

TEST(TypeTest, LooksThroughOptionalsAndLists) {
  const Type* list = Type::list(Type::optional(tensor()), std::nullopt);
  EXPECT_TRUE(list->is_tensor_like());
  EXPECT_FALSE(list->is_symint_like());
  EXPECT_TRUE(list->is_nullable());
  EXPECT_EQ(list->is_list_like(), list);
  EXPECT_EQ(Type::optional(list)->is_list_like(), list);
  EXPECT_EQ(tensor()->is_list_like(), nullptr);
  EXPECT_FALSE(tensor()->is_nullable());
  EXPECT_FALSE(Type::custom_class("Tensor")->is_tensor_like());
}

TEST(TypeTest, ThreadsGetTheSameTypes) {
  std::vector<const Type*> found(8);
  std::vector<std::thread> threads;
  for (const Type*& type : found) {
    threads.emplace_back([&type] {
      const Type* custom = Type::custom_class("threads.Share");
      type = Type::list(Type::optional(Type::list(custom, 7)), std::nullopt);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const Type* type : found) {
    EXPECT_EQ(type, found.front());
  }
}

}  // namespace
}  // namespace opgen::model
