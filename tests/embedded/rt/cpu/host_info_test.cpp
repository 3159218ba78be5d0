#include "embedded/rt/cpu/host_info.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace infini::rt::cpu {
namespace {

TEST(HostInfoTest, NamesTheProcessor) {
  EXPECT_FALSE(processor_name().empty());
}

TEST(HostInfoTest, CountsTheProcessorsOfThisThread) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(processor_count(), CPU_COUNT(&before));
  int first = 0;
  while (!CPU_ISSET(first, &before)) {
    ++first;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(processor_count(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(HostInfoTest, MemoryAgreesWithItself) {
  const auto info = memory_info();
  ASSERT_TRUE(info.has_value());
  EXPECT_GT(info->available, 0U);
  EXPECT_LE(info->available, info->total);
  const double ratio =
      static_cast<double>(total_memory()) / static_cast<double>(info->total);
  EXPECT_NEAR(ratio, 1.0, 0.1);
}

}  // namespace
}  // namespace infini::rt::cpu
