// Every target computes the same bits as the baseline.
#include <cstddef>
#include <random>

#include <gtest/gtest.h>

#include "../test_tensor.h"
#include "embedded/ops/cpu/target.h"

namespace infini::ops::cpu {

namespace {

using test::TestTensor;

class KernelsTest : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor cannot run "
                   << kernels_of(GetParam()).name;
    }
  }

  std::mt19937_64 random_{9};
};

// Two rows of `columns` elements; strides in elements.
BinaryBlock block_of(TestTensor* out,
                     TestTensor* a,
                     TestTensor* b,
                     const std::ptrdiff_t (&inner)[3],
                     std::size_t columns) {
  const auto unit = static_cast<std::ptrdiff_t>(test::size_of(out->dtype()));
  const std::ptrdiff_t outer = 300 * unit;
  return {out->data(),
          a->data(),
          b->data(),
          {columns, 2},
          {inner[0] * unit, outer},
          {inner[1] * unit, outer},
          {inner[2] * unit, outer}};
}

TEST_P(KernelsTest, AddAndMulEqualTheBaseline) {
  const std::ptrdiff_t strides[][3] = {{1, 1, 1},
                                       {1, 1, 0},
                                       {1, 0, 1},
                                       {1, 2, 2},
                                       {2, 1, 1},
                                       {1, 2, 1},
                                       {1, 0, 0},
                                       {1, -1, 3}};
  for (const DataType dtype : test::kAllTypes) {
    for (const auto& inner : strides) {
      for (const std::size_t columns :
           {0, 1, 2, 7, 8, 15, 16, 17, 33, 98, 99}) {
        TestTensor a(dtype, {700}, {1}, 300);
        TestTensor b(dtype, {700}, {1}, 300);
        a.fill(&random_);
        b.fill(&random_);
        TestTensor expected(dtype, {700});
        TestTensor actual(dtype, {700});
        const auto index = static_cast<std::size_t>(dtype);
        const bool multiply = columns % 2 == 0;
        const Kernels& baseline = kernels_of(Target::kBaseline);
        const Kernels& mine = kernels_of(GetParam());
        (multiply ? baseline.mul : baseline.add)[index](
            block_of(&expected, &a, &b, inner, columns));
        (multiply ? mine.mul
                  : mine.add)[index](block_of(&actual, &a, &b, inner, columns));
        for (std::size_t i = 0; i < 700; ++i) {
          ASSERT_EQ(actual.bits(i), expected.bits(i))
              << static_cast<int>(dtype) << " " << columns;
        }
      }
    }
  }
}

TEST_P(KernelsTest, CastEqualsTheBaselineForAnyPattern) {
  for (const DataType from : test::kAllTypes) {
    TestTensor in(from, {1000});
    for (std::size_t i = 0; i < in.numel(); ++i) {
      in.set_bits(i, random_());
    }
    for (const DataType to : test::kAllTypes) {
      TestTensor expected(to, {1000});
      TestTensor actual(to, {1000});
      const auto in_unit = static_cast<std::ptrdiff_t>(test::size_of(from));
      const auto out_unit = static_cast<std::ptrdiff_t>(test::size_of(to));
      const auto run = [&](const Kernels& kernels, TestTensor* out) {
        kernels.cast[static_cast<std::size_t>(from)]
                    [static_cast<std::size_t>(to)]({out->data(),
                                                    in.data(),
                                                    {333, 3},
                                                    {out_unit, 333 * out_unit},
                                                    {in_unit, 333 * in_unit}});
      };
      run(kernels_of(Target::kBaseline), &expected);
      run(kernels_of(GetParam()), &actual);
      for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(actual.bits(i), expected.bits(i))
            << static_cast<int>(from) << " " << static_cast<int>(to) << " "
            << in.bits(i);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets,
                         KernelsTest,
                         testing::ValuesIn(kTargets),
                         [](const testing::TestParamInfo<Target>& info) {
                           return std::string(kernels_of(info.param).name);
                         });

}  // namespace

}  // namespace infini::ops::cpu
