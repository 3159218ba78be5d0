#include "embedded/ops/cpu/sampling.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test_tensor.h"

namespace infini::ops::cpu {

namespace {

using Indices = std::vector<std::int32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const double kLogits[] = {1.0, 3.0, 2.0, 3.0, -1.0};

TEST(Candidates, AreAllTheLikeliestFirstWithoutLimits) {
  const Candidates all = candidates_of(kLogits, 5, 0, 1.0);
  EXPECT_EQ(all.indices, (Indices{1, 3, 2, 0, 4}));
  EXPECT_EQ(all.weights[0], 1.0);
  EXPECT_NEAR(all.weights[2], std::exp(-1.0), 1e-15);
  for (const std::int64_t k :
       {std::int64_t{-3}, std::int64_t{5}, std::int64_t{99}, INT64_MAX}) {
    EXPECT_EQ(candidates_of(kLogits, 5, k, 0.0).indices.size(), 5U);
  }
}

TEST(Candidates, AreTheKLikeliest) {
  EXPECT_EQ(candidates_of(kLogits, 5, 1, 1.0).indices, (Indices{1}));
  EXPECT_EQ(candidates_of(kLogits, 5, 3, 1.0).indices, (Indices{1, 3, 2}));
}

TEST(Candidates, AreTheFewestThatReachP) {
  const double even[] = {0, 0, 0, 0};
  EXPECT_EQ(candidates_of(even, 4, 0, 0.25).indices, (Indices{0}));
  EXPECT_EQ(candidates_of(even, 4, 0, 0.26).indices, (Indices{0, 1}));
  EXPECT_EQ(candidates_of(even, 4, 0, 0.999).indices.size(), 4U);
  // Within the two likeliest, each has one half.
  EXPECT_EQ(candidates_of(even, 4, 2, 0.5).indices, (Indices{0}));
}

TEST(Choose, FollowsTheCumulativeDistribution) {
  const Candidates candidates{{7, 8, 9}, {2.0, 0.0, 2.0}};
  EXPECT_EQ(choose(candidates, 0.0), 7);
  EXPECT_EQ(choose(candidates, 0.4999), 7);
  EXPECT_EQ(choose(candidates, 0.5), 9);
  EXPECT_EQ(choose(candidates, 0x1.fffffffffffffp-1), 9);
}

TEST(IsDistribution, RefusesWhatCannotBeSampled) {
  const double nan[] = {0.0, std::nan("")};
  const double infinite[] = {0.0, kInfinity};
  const double nothing[] = {-kInfinity, -kInfinity};
  const double fine[] = {-kInfinity, 0.0};
  EXPECT_FALSE(is_distribution(nan, 2));
  EXPECT_FALSE(is_distribution(infinite, 2));
  EXPECT_FALSE(is_distribution(nothing, 2));
  EXPECT_TRUE(is_distribution(fine, 2));
}

TEST(RandomPosition, DiffersInAForkedChild) {
  random_position();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto child = fork();
  if (child == 0) {
    const double position = random_position();
    _exit(write(ends[1], &position, sizeof(position)) == sizeof(position) ? 0
                                                                          : 1);
  }
  double theirs = 0;
  ASSERT_EQ(read(ends[0], &theirs, sizeof(theirs)),
            static_cast<ssize_t>(sizeof(theirs)));
  waitpid(child, nullptr, 0);
  EXPECT_NE(theirs, random_position());
}

TEST(TopKTopPSampler, DrawsWithTheRightFrequencies) {
  // Logits of probabilities 0.5, 0.3, 0.15 and 0.05. The bound on chi-square
  // with three degrees of freedom is passed by chance once in a million runs.
  const double probabilities[] = {0.05, 0.5, 0.15, 0.3};
  constexpr std::size_t kRows = 20000;
  for (const DataType dtype : test::kFloatTypes) {
    test::TestTensor logits(dtype, {kRows, 4}, {0, 1});
    for (std::size_t i = 0; i < 4; ++i) {
      logits.set_value(i, std::log(probabilities[i]));
    }
    test::TestTensor out(DataType::kInt32, {kRows}, {2});
    Operator<TopKTopPSampler>::Call(Handle(),
                                    Config(),
                                    logits.view(),
                                    std::optional<Tensor>(),
                                    std::optional<Tensor>(),
                                    out.view());
    std::map<std::uint64_t, double> counts;
    for (std::size_t i = 0; i < kRows; ++i) {
      counts[out.bits(i)] += 1;
    }
    // What the rounded logits really mean.
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += static_cast<double>(std::exp(logits.value(i)));
    }
    double chi_square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double expected =
          kRows * static_cast<double>(std::exp(logits.value(i))) / sum;
      chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_EQ(counts.size(), 4U);
    EXPECT_LT(chi_square, 30.7);
    EXPECT_TRUE(out.is_intact());
  }
}

TEST(TopKTopPSampler, RestrictsEachRow) {
  test::TestTensor logits(DataType::kFloat32, {3, 4});
  for (std::size_t i = 0; i < 12; ++i) {
    logits.set_value(i, static_cast<long double>(i % 4));
  }
  test::TestTensor k(DataType::kInt64, {3});
  test::TestTensor p(DataType::kFloat16, {1});
  k.set_bits(0, 1);
  k.set_bits(1, 2);
  k.set_bits(2, 0);
  p.set_value(0, 0.99L);
  test::TestTensor out(DataType::kInt32, {3});
  for (int round = 0; round < 200; ++round) {
    Operator<TopKTopPSampler>::Call(Handle(),
                                    Config(),
                                    logits.view(),
                                    std::optional<Tensor>(k.view()),
                                    std::optional<Tensor>(p.view()),
                                    out.view());
    EXPECT_EQ(out.bits(0), 3U);
    EXPECT_GE(out.bits(1), 2U);
    EXPECT_LE(out.bits(2), 3U);
  }
}

class SamplerErrorTest : public testing::Test {
 protected:
  std::string error(const Tensor& logits,
                    std::optional<Tensor> k,
                    std::optional<Tensor> p) {
    const std::string text = test::error_of([&] {
      Operator<TopKTopPSampler>::Call(
          Handle(), Config(), logits, k, p, out_.view());
    });
    EXPECT_TRUE(out_.is_untouched());
    return text.substr(0, text.find("; got"));
  }

  test::TestTensor logits_{DataType::kFloat32, {2, 3}};
  test::TestTensor out_{DataType::kInt32, {2}};
};

TEST_F(SamplerErrorTest, NamesWhatIsWrong) {
  test::TestTensor floats(DataType::kFloat32, {2});
  test::TestTensor three(DataType::kInt32, {3});
  test::TestTensor flat(DataType::kFloat32, {2});
  test::TestTensor tall(DataType::kFloat32, {3, 3});
  test::TestTensor none(DataType::kFloat32, {2, 0});
  for (std::size_t i = 0; i < 6; ++i) {
    logits_.set_value(i, 0);
  }
  EXPECT_EQ(error(logits_.view(), floats.view(), std::nullopt),
            "TopKTopPSampler: expected `k` to have dtype int32 or int64");
  EXPECT_EQ(
      error(logits_.view(), three.view(), std::nullopt),
      "TopKTopPSampler: expected `k` to have size 1 or the number of rows, 2");
  EXPECT_EQ(error(logits_.view(), std::nullopt, three.view()),
            "TopKTopPSampler: expected `p` to have dtype float16, bfloat16, "
            "float32 or float64");
  EXPECT_EQ(error(flat.view(), std::nullopt, std::nullopt),
            "TopKTopPSampler: expected `logits` to have 2 dimensions");
  EXPECT_EQ(error(tall.view(), std::nullopt, std::nullopt),
            "TopKTopPSampler: expected `out` to have one element per row of "
            "`logits`");
  EXPECT_EQ(
      error(none.view(), std::nullopt, std::nullopt),
      "TopKTopPSampler: expected `logits` to have from 1 to 2**31 - 1 columns");
  logits_.set_value(4, static_cast<long double>(kInfinity));
  EXPECT_EQ(error(logits_.view(), std::nullopt, std::nullopt),
            "TopKTopPSampler: expected `logits` without NaN and +infinity and "
            "with a finite value "
            "in each row; row 1 is not so");
}

}  // namespace

}  // namespace infini::ops::cpu
