#include "embedded/extension.h"

#include <string>

#include <gtest/gtest.h>

#include "test_tensor.h"

namespace {

TEST(OpsExtension, ServesItsVersionAndOlderOnes) {
  const infini_extension::OpsTable* table =
      infini_ops_extension(infini_extension::kOpsVersion);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->version, infini_extension::kOpsVersion);
  EXPECT_EQ(table->struct_size, sizeof(infini_extension::OpsTable));
  EXPECT_NE(std::string(table->library), "");
  EXPECT_EQ(infini_ops_extension(infini_extension::kOpsVersion + 1), nullptr);
}

TEST(OpsExtension, NamesTheExactDtypes) {
  const infini_extension::OpsTable* table = infini_ops_extension(1);
  EXPECT_EQ(table->exact_dtypes("Add"), 0xfffU);
  EXPECT_EQ(table->exact_dtypes("Mul"), 0xfffU);
  EXPECT_EQ(table->exact_dtypes("Gemm"), 0xf00U);
  EXPECT_EQ(table->exact_dtypes("Conv"), 0U);
  EXPECT_EQ(table->exact_dtypes(nullptr), 0U);
}

TEST(OpsExtension, NamesTheGemmLibrary) {
  EXPECT_NE(
      std::string(infini_ops_extension(1)->gemm_library()).find("OpenBLAS"),
      std::string::npos);
}

}  // namespace
