// Gemm and Linear against long double.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "../test_tensor.h"

namespace infini::ops::test {

namespace {

using OptionalFloat = std::optional<float>;
using OptionalInt = std::optional<int>;

// One matrix of a batch, as a function of row and column.
struct Face {
  TestTensor* tensor;
  bool transposed;
  std::size_t batch;

  long double operator()(std::size_t i, std::size_t j) const {
    const Tensor::Shape& shape = tensor->shape();
    const std::size_t rows = shape[shape.size() - 2];
    const std::size_t columns = shape.back();
    const std::size_t faces = tensor->numel() / (rows * columns);
    const std::size_t number = transposed ? j * columns + i : i * columns + j;
    return tensor->value(batch % faces * rows * columns + number);
  }
};

// An error of accumulating k products in the compute type, and of one rounding
// of the result.
long double tolerance(DataType dtype,
                      std::size_t k,
                      long double magnitude,
                      long double result) {
  const DataType compute =
      dtype == DataType::kFloat64 ? dtype : DataType::kFloat32;
  const long double accumulated =
      static_cast<long double>(k + 4) * ulp(compute, magnitude);
  return accumulated + (size_of(dtype) == 2 ? 0.5L * ulp(dtype, result) : 0.0L);
}

struct Case {
  std::size_t batch;  // 0 for two dimensions
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

class GemmTest : public testing::TestWithParam<DataType> {
 protected:
  TestTensor make(std::size_t batch,
                  std::size_t rows,
                  std::size_t columns,
                  bool any_layout) {
    Tensor::Shape shape{rows, columns};
    if (batch != 0) {
      shape.insert(shape.begin(), batch);
    }
    TestTensor tensor(GetParam(),
                      shape,
                      any_layout ? random_strides(shape, false, &random_)
                                 : TestTensor::row_major(shape));
    tensor.fill(&random_);
    return tensor;
  }

  void expect_product(const Case& size,
                      TestTensor* a,
                      bool trans_a,
                      TestTensor* b,
                      bool trans_b,
                      long double alpha,
                      long double beta,
                      TestTensor* before,
                      TestTensor* c) {
    for (std::size_t batch = 0; batch < std::max<std::size_t>(size.batch, 1);
         ++batch) {
      const Face left{a, trans_a, batch};
      const Face right{b, trans_b, batch};
      for (std::size_t i = 0; i < size.m; ++i) {
        for (std::size_t j = 0; j < size.n; ++j) {
          long double sum = 0;
          long double magnitude = 0;
          for (std::size_t l = 0; l < size.k; ++l) {
            sum += left(i, l) * right(l, j);
            magnitude += std::fabs(left(i, l) * right(l, j));
          }
          const std::size_t at = (batch * size.m + i) * size.n + j;
          const long double old = beta == 0 ? 0 : beta * before->value(at);
          const long double expected = alpha * sum + old;
          magnitude = std::fabs(alpha) * magnitude + std::fabs(old);
          ASSERT_LE(std::fabs(c->value(at) - expected),
                    tolerance(GetParam(), size.k, magnitude, expected))
              << size.m << " " << size.n << " " << size.k << " at " << i << ", "
              << j;
        }
      }
    }
    EXPECT_TRUE(c->is_intact());
  }

  void check(const Case& size, bool trans_a, bool trans_b, bool any_layout) {
    TestTensor a = trans_a ? make(size.batch, size.k, size.m, any_layout)
                           : make(size.batch, size.m, size.k, any_layout);
    TestTensor b = trans_b ? make(size.batch, size.n, size.k, any_layout)
                           : make(size.batch, size.k, size.n, any_layout);
    TestTensor c = make(size.batch, size.m, size.n, any_layout);
    TestTensor before = c;
    Operator<Gemm>::Call(Handle(),
                         Config(),
                         a.view(),
                         b.view(),
                         OptionalFloat(0.5F),
                         OptionalFloat(-2.0F),
                         OptionalInt(trans_a ? 1 : 0),
                         OptionalInt(trans_b ? 1 : 0),
                         c.view());
    expect_product(size, &a, trans_a, &b, trans_b, 0.5L, -2.0L, &before, &c);
  }

  std::mt19937_64 random_{23};
};

TEST_P(GemmTest, MultipliesWithEveryTransposition) {
  for (const Case& size : {Case{0, 1, 1, 1},
                           {0, 5, 7, 3},
                           {0, 1, 9, 17},
                           {0, 9, 1, 17},
                           {0, 33, 17, 65},
                           {3, 5, 6, 7},
                           {2, 1, 1, 20}}) {
    for (const bool trans_a : {false, true}) {
      for (const bool trans_b : {false, true}) {
        for (const bool any_layout : {false, true}) {
          check(size, trans_a, trans_b, any_layout);
        }
      }
    }
  }
}

TEST_P(GemmTest, MultipliesLargeMatricesOnSeveralThreads) {
  check({0, 150, 110, 70}, false, true, false);
  check({0, 110, 150, 70}, true, false, false);
}

TEST_P(GemmTest, DefaultsToAlphaOneAndBetaOne) {
  TestTensor a = make(0, 4, 5, false);
  TestTensor b = make(0, 5, 6, false);
  TestTensor c = make(0, 4, 6, false);
  TestTensor before = c;
  Operator<Gemm>::Call(Handle(), Config(), a.view(), b.view(), c.view());
  expect_product({0, 4, 6, 5}, &a, false, &b, false, 1, 1, &before, &c);
  before = c;
  Operator<Gemm>::Call(
      a.view(), b.view(), OptionalFloat(2.0F), OptionalFloat(), c.view());
  expect_product({0, 4, 6, 5}, &a, false, &b, false, 2, 1, &before, &c);
}

TEST_P(GemmTest, DoesNotReadTheOutputWhereBetaIsZero) {
  for (const bool any_layout : {false, true}) {
    TestTensor a = make(0, 40, 30, false);
    TestTensor b = make(0, 30, 50, false);
    TestTensor c = make(0, 40, 50, any_layout);
    for (std::size_t i = 0; i < c.numel(); ++i) {
      c.set_bits(i, TestTensor::encode(GetParam(), std::nanl("")));
    }
    Operator<Gemm>::Call(Handle(),
                         Config(),
                         a.view(),
                         b.view(),
                         OptionalFloat(1.0F),
                         OptionalFloat(0.0F),
                         c.view());
    expect_product({0, 40, 50, 30}, &a, false, &b, false, 1, 0, &c, &c);
  }
}

TEST_P(GemmTest, ScalesTheOutputWhereNothingIsSummed) {
  TestTensor a(GetParam(), {3, 0});
  TestTensor b(GetParam(), {0, 2});
  TestTensor c = make(0, 3, 2, false);
  TestTensor before = c;
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       a.view(),
                       b.view(),
                       OptionalFloat(1.0F),
                       OptionalFloat(0.5F),
                       c.view());
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(c.bits(i), TestTensor::encode(GetParam(), before.value(i) / 2));
  }
  TestTensor nothing(GetParam(), {0, 2});
  TestTensor left(GetParam(), {0, 3});
  TestTensor right(GetParam(), {3, 2});
  Operator<Gemm>::Call(
      Handle(), Config(), left.view(), right.view(), nothing.view());
}

TEST_P(GemmTest, ReadsInputsThatLieInTheOutputFirst) {
  TestTensor a = make(0, 6, 6, false);
  TestTensor b = make(0, 6, 6, false);
  TestTensor before = a;
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       a.view(),
                       b.view(),
                       OptionalFloat(1.0F),
                       OptionalFloat(0.0F),
                       a.view());
  expect_product({0, 6, 6, 6}, &before, false, &b, false, 1, 0, &a, &a);
}

TEST_P(GemmTest, BroadcastsABatch) {
  TestTensor a = make(3, 4, 5, false);
  TestTensor b = make(0, 5, 6, false);
  TestTensor c = make(3, 4, 6, false);
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       a.view(),
                       b.view(),
                       OptionalFloat(1.0F),
                       OptionalFloat(0.0F),
                       c.view());
  expect_product({3, 4, 6, 5}, &a, false, &b, false, 1, 0, &c, &c);
  TestTensor one = make(1, 4, 5, false);
  TestTensor many = make(3, 5, 6, false);
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       one.view(),
                       many.view(),
                       OptionalFloat(1.0F),
                       OptionalFloat(0.0F),
                       c.view());
  expect_product({3, 4, 6, 5}, &one, false, &many, false, 1, 0, &c, &c);
}

TEST_P(GemmTest, LinearAddsABias) {
  for (const bool any_layout : {false, true}) {
    TestTensor a = make(3, 4, 5, any_layout);
    TestTensor b = make(0, 6, 5, any_layout);
    TestTensor out = make(3, 4, 6, any_layout);
    TestTensor bias(GetParam(), {6});
    bias.fill(&random_);
    const std::optional<Tensor> some = bias.view();
    Operator<Linear>::Call(
        Handle(), Config(), a.view(), b.view(), some, false, true, out.view());
    TestTensor biases(GetParam(), {3, 4, 6});
    for (std::size_t i = 0; i < 72; ++i) {
      biases.set_bits(i, bias.bits(i % 6));
    }
    expect_product({3, 4, 6, 5}, &a, false, &b, true, 1, 1, &biases, &out);
    const std::optional<Tensor> none;
    Operator<Linear>::Call(
        Handle(), Config(), a.view(), b.view(), none, false, true, out.view());
    expect_product({3, 4, 6, 5}, &a, false, &b, true, 1, 0, &biases, &out);
  }
}

INSTANTIATE_TEST_SUITE_P(FloatTypes, GemmTest, testing::ValuesIn(kFloatTypes));

TEST(GemmAccuracy, RoundsHalvesOnce) {
  // 2048 + 1 is a tie in float16: adding ones to 2048 one by one would stay
  // there.
  TestTensor a(DataType::kFloat16, {1, 5});
  TestTensor b(DataType::kFloat16, {5, 1});
  TestTensor c(DataType::kFloat16, {1, 1});
  for (std::size_t i = 0; i < 5; ++i) {
    a.set_value(i, i == 0 ? 2048 : 1);
    b.set_value(i, 1);
  }
  Operator<Gemm>::Call(Handle(),
                       Config(),
                       a.view(),
                       b.view(),
                       OptionalFloat(1.0F),
                       OptionalFloat(0.0F),
                       c.view());
  EXPECT_EQ(c.value(0), 2052.0L);
}

TEST(GemmErrors, NameWhatIsWrong) {
  TestTensor a(DataType::kFloat32, {2, 3});
  TestTensor b(DataType::kFloat32, {4, 5});
  TestTensor c(DataType::kFloat32, {2, 5});
  TestTensor d(DataType::kFloat64, {3, 5});
  TestTensor flat(DataType::kFloat32, {3});
  TestTensor integer(DataType::kInt32, {2, 3});
  const auto error =
      [&](const Tensor& left, const Tensor& right, const Tensor& out) {
        const std::string text = error_of([&] {
          Operator<Gemm>::Call(Handle(), Config(), left, right, out);
        });
        return text.substr(0, text.find("; got"));
      };
  EXPECT_EQ(error(a.view(), b.view(), c.view()),
            "Gemm: expected matrices [m, k] and [k, n] for an output [m, n] "
            "after the "
            "transpositions, not [2, 3] and [4, 5] for [2, 5]");
  EXPECT_EQ(error(a.view(), d.view(), c.view()),
            "Gemm: expected `b` to have the dtype of `a`, float32");
  EXPECT_EQ(error(flat.view(), b.view(), c.view()),
            "Gemm: expected `a` to have two or three dimensions");
  EXPECT_EQ(
      error(integer.view(), integer.view(), integer.view()),
      "Gemm: expected `c` to have dtype float16, bfloat16, float32 or float64");
  TestTensor batch(DataType::kFloat32, {2, 2, 3});
  TestTensor right(DataType::kFloat32, {3, 5});
  EXPECT_EQ(
      error(batch.view(), right.view(), c.view()),
      "Gemm: expected batch dimensions that broadcast to those of the output");
  EXPECT_TRUE(c.is_untouched());
}

TEST(LinearErrors, NameWhatIsWrong) {
  TestTensor a(DataType::kFloat32, {2, 3});
  TestTensor b(DataType::kFloat32, {3, 5});
  TestTensor out(DataType::kFloat32, {2, 5});
  TestTensor bias(DataType::kFloat32, {4});
  const std::optional<Tensor> some = bias.view();
  const std::string text = error_of([&] {
    Operator<Linear>::Call(
        Handle(), Config(), a.view(), b.view(), some, false, false, out.view());
  });
  EXPECT_EQ(text,
            "Linear: expected `bias` to have the size of the last dimension of "
            "`out`; got a: "
            "float32[2, 3] on cpu:0, b: float32[3, 5] on cpu:0, bias: "
            "float32[4] on cpu:0, out: "
            "float32[2, 5] on cpu:0");
  EXPECT_TRUE(out.is_untouched());
}

}  // namespace

}  // namespace infini::ops::test
