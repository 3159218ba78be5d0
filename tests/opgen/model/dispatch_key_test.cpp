#include "opgen/model/dispatch_key.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace opgen::model {
namespace {

TEST(DispatchKeyTest, NamesParseBack) {
  for (std::size_t i = 0; i < kDispatchKeyCount; ++i) {
    const auto key = static_cast<DispatchKey>(i);
    EXPECT_EQ(parse_dispatch_key(name_of(key)), key);
  }
  EXPECT_EQ(kDispatchKeyCount, 140U);
}

TEST(DispatchKeyTest, CatchAllMeansUndefined) {
  EXPECT_EQ(parse_dispatch_key("CatchAll"), DispatchKey::kUndefined);
  EXPECT_EQ(parse_dispatch_key("CPUU"), std::nullopt);
  EXPECT_EQ(parse_dispatch_key(""), std::nullopt);
}

TEST(DispatchKeyTest, RegistrationsAreGeneratedForThirtyKeys) {
  const auto keys = all_dispatch_keys();
  EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), 30U);
  EXPECT_EQ(keys.front(), DispatchKey::kCPU);
  EXPECT_EQ(keys.back(), DispatchKey::kMTIA);
}

TEST(DispatchKeyTest, NamesInLowerCase) {
  EXPECT_EQ(lower_name_of(DispatchKey::kCompositeExplicitAutograd),
            "compositeexplicitautograd");
}

TEST(DispatchKeyTest, Classes) {
  EXPECT_TRUE(is_cuda_dispatch_key(DispatchKey::kNestedTensorCUDA));
  EXPECT_FALSE(is_cuda_dispatch_key(DispatchKey::kCPU));
  EXPECT_TRUE(is_xpu_dispatch_key(DispatchKey::kSparseCsrXPU));
  EXPECT_TRUE(is_generic_dispatch_key(
      DispatchKey::kCompositeImplicitAutogradNestedTensor));
  EXPECT_FALSE(is_generic_dispatch_key(DispatchKey::kMeta));
  EXPECT_TRUE(is_structured_dispatch_key(DispatchKey::kMPS));
  EXPECT_FALSE(is_structured_dispatch_key(DispatchKey::kMeta));
  EXPECT_FALSE(is_ufunc_dispatch_key(DispatchKey::kMPS));
}

}  // namespace
}  // namespace opgen::model
