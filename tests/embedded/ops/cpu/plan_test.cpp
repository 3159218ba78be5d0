#include "embedded/ops/cpu/plan.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "embedded/ops/cpu/overlap.h"

namespace infini::ops::cpu {

namespace {

TEST(Plan, JoinsDimensionsThatFollowOneAnother) {
  char memory[1];
  Plan<2> plan;
  plan.base[0] = plan.base[1] = memory;
  plan.append(4, {1, 1});
  plan.append(1, {77, 77});
  plan.append(3, {4, 4});
  plan.append(2, {12, 24});
  plan.simplify();
  ASSERT_EQ(plan.dimensions, 2);
  EXPECT_EQ(plan.size[0], 12U);
  EXPECT_EQ(plan.size[1], 2U);
  EXPECT_EQ(plan.stride[1][1], 24);
  EXPECT_EQ(plan.elements(), 24U);
}

TEST(Plan, PutsTheOutputInOrderAndForwards) {
  char out[64];
  char in[64];
  Plan<2> plan;
  plan.base[0] = out + 40;
  plan.base[1] = in;
  plan.append(2, {20, 1});
  plan.append(3, {-4, 2});
  plan.simplify();
  ASSERT_EQ(plan.dimensions, 2);
  EXPECT_EQ(plan.base[0], out + 32);
  EXPECT_EQ(plan.base[1], in + 4);
  EXPECT_EQ(plan.size[0], 3U);
  EXPECT_EQ(plan.stride[0][0], 4);
  EXPECT_EQ(plan.stride[0][1], -2);
  EXPECT_EQ(plan.stride[1][0], 20);
}

TEST(Plan, OfOneElementHasOneDimension) {
  char memory[1];
  Plan<1> plan;
  plan.base[0] = memory;
  plan.simplify();
  EXPECT_EQ(plan.dimensions, 1);
  EXPECT_EQ(plan.elements(), 1U);
}

TEST(Plan, IsWalkedBlockByBlock) {
  char memory[1000];
  Plan<1> plan;
  plan.base[0] = memory;
  plan.append(2, {1});
  plan.append(3, {10});
  plan.append(4, {100});
  plan.simplify();
  std::vector<std::ptrdiff_t> offsets;
  for_each_block<1>(plan, [&](const Plan<1>& block) {
    offsets.push_back(block.base[0] - memory);
  });
  EXPECT_EQ(offsets,
            (std::vector<std::ptrdiff_t>{
                0, 10, 20, 100, 110, 120, 200, 210, 220, 300, 310, 320}));
}

// Two operands of 4-byte elements in one array; strides in elements.
Overlap overlap(std::size_t size,
                std::ptrdiff_t out_stride,
                std::ptrdiff_t in_offset,
                std::ptrdiff_t in_stride) {
  static char memory[4096];
  Plan<2> plan;
  plan.base[0] = memory + 1024;
  plan.base[1] = memory + 1024 + 4 * in_offset;
  plan.append(size, {4 * out_stride, 4 * in_stride});
  plan.simplify();
  return overlap_of(plan, 1, 4, 4);
}

TEST(Overlap, TellsTheCasesApart) {
  EXPECT_EQ(overlap(8, 1, 8, 1), Overlap::kNone);
  EXPECT_EQ(overlap(8, 1, -8, 1), Overlap::kNone);
  EXPECT_EQ(overlap(8, 1, 0, 1), Overlap::kSame);
  EXPECT_EQ(overlap(8, 2, 0, 2), Overlap::kSame);
  EXPECT_EQ(overlap(8, 1, 7, 1), Overlap::kPartial);
  EXPECT_EQ(overlap(8, 1, -1, 1), Overlap::kPartial);
  EXPECT_EQ(overlap(8, 1, 7, -1), Overlap::kPartial);
  EXPECT_EQ(overlap(8, 1, 3, 0), Overlap::kPartial);
  EXPECT_EQ(overlap(8, 2, 1, 2), Overlap::kNone);
  EXPECT_EQ(overlap(8, 3, 4, 3), Overlap::kNone);
  EXPECT_EQ(overlap(8, 2, 2, 2), Overlap::kMaybe);
  EXPECT_EQ(overlap(8, 2, 0, 1), Overlap::kMaybe);
}

// What the search says, against trying all pairs of elements.
TEST(Overlap, NeverMissesACommonByte) {
  for (std::ptrdiff_t inner = 1; inner <= 3; ++inner) {
    for (std::ptrdiff_t outer = 4; outer <= 14; ++outer) {
      for (std::ptrdiff_t offset = -30; offset <= 30; ++offset) {
        char memory[4096];
        Plan<2> plan;
        plan.base[0] = memory + 1024;
        plan.base[1] = memory + 1024 + offset;
        plan.append(3, {2 * inner, 2 * inner});
        plan.append(4, {2 * outer, 2 * outer});
        plan.simplify();
        bool common = false;
        for (std::ptrdiff_t a = 0; a < 12; ++a) {
          for (std::ptrdiff_t b = 0; b < 12; ++b) {
            const std::ptrdiff_t distance =
                offset +
                2 * (inner * (b % 3 - a % 3) + outer * (b / 3 - a / 3));
            common = common || (distance > -2 && distance < 2);
          }
        }
        const Overlap found = overlap_of(plan, 1, 2, 2);
        if (offset == 0) {
          EXPECT_EQ(found, Overlap::kSame);
        } else {
          EXPECT_EQ(found != Overlap::kNone, common)
              << inner << " " << outer << " " << offset;
        }
      }
    }
  }
}

}  // namespace

}  // namespace infini::ops::cpu
