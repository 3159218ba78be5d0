// RmsNorm, CausalSoftmax and Swiglu against long double.
#include <cmath>
#include <cstddef>
#include <random>

#include <gtest/gtest.h>

#include "../test_tensor.h"

namespace infini::ops::test {

namespace {

// In units of the last place. 16-bit results are computed in float and rounded
// once.
constexpr long double kUlps16 = 0.51L;
constexpr long double kUlps = 2.0L;

void expect_near(TestTensor* out,
                 std::size_t i,
                 long double expected,
                 long double slack = 1) {
  const long double ulps = size_of(out->dtype()) == 2 ? kUlps16 : kUlps * slack;
  ASSERT_LE(std::fabs(out->value(i) - expected),
            ulps * ulp(out->dtype(), expected))
      << static_cast<double>(out->value(i)) << " instead of "
      << static_cast<double>(expected) << " for dtype "
      << static_cast<int>(out->dtype());
}

class RowsTest : public testing::TestWithParam<DataType> {
 protected:
  TestTensor make(const Tensor::Shape& shape,
                  bool any_layout,
                  bool broadcast = false) {
    TestTensor tensor(GetParam(),
                      shape,
                      any_layout ? random_strides(shape, broadcast, &random_)
                                 : TestTensor::row_major(shape));
    tensor.fill(&random_);
    return tensor;
  }

  std::mt19937_64 random_{11};
};

void expect_rms(TestTensor* in,
                TestTensor* weight,
                long double eps,
                TestTensor* out) {
  const std::size_t length = out->shape().back();
  // The square root halves the relative error of a chain of length / 8
  // additions of half a unit.
  const long double slack = 2 + static_cast<long double>(length) / 32;
  for (std::size_t row = 0; row < out->numel() / length; ++row) {
    long double squares = 0;
    for (std::size_t i = 0; i < length; ++i) {
      squares += in->value(row * length + i) * in->value(row * length + i);
    }
    const long double scale =
        1 / std::sqrt(squares / static_cast<long double>(length) + eps);
    for (std::size_t i = 0; i < length; ++i) {
      expect_near(out,
                  row * length + i,
                  in->value(row * length + i) * weight->value(i) * scale,
                  slack);
    }
  }
}

TEST_P(RowsTest, RmsNormDividesByTheRootMeanSquare) {
  for (const bool any_layout : {false, true}) {
    for (const Tensor::Shape& shape :
         {Tensor::Shape{5}, {7, 33}, {3, 4, 5}, {2, 3, 2, 9}, {64, 600}}) {
      TestTensor in = make(shape, any_layout, true);
      TestTensor weight = make({shape.back()}, false);
      TestTensor out(GetParam(), shape);
      Operator<RmsNorm>::Call(
          Handle(), Config(), in.view(), weight.view(), 1e-3F, out.view());
      expect_rms(&in, &weight, 1e-3F, &out);
      EXPECT_TRUE(out.is_intact());
      Operator<RmsNorm>::Call(
          Handle(), Config(), in.view(), weight.view(), out.view());
      expect_rms(&in, &weight, 1e-6F, &out);
    }
  }
}

TEST_P(RowsTest, RmsNormWorksInPlaceAndOnNothing) {
  TestTensor in = make({6, 40}, false);
  TestTensor weight = make({40}, false);
  TestTensor before = in;
  Operator<RmsNorm>::Call(
      Handle(), Config(), in.view(), weight.view(), in.view());
  expect_rms(&before, &weight, 1e-6F, &in);
  TestTensor empty(GetParam(), {0, 40});
  Operator<RmsNorm>::Call(
      Handle(), Config(), empty.view(), weight.view(), empty.view());
}

void expect_softmax(TestTensor* in, TestTensor* out) {
  const Tensor::Shape& shape = out->shape();
  const std::size_t columns = shape.back();
  const std::size_t rows = shape[shape.size() - 2];
  // A difference of up to 8 is rounded by up to 4 units of the exponential, in
  // numerator and sum; exp and the division add one each, and the sum a chain
  // of columns / 8 roundings.
  const long double slack =
      (10 + static_cast<long double>(columns) / 16) / kUlps;
  for (std::size_t row = 0; row < out->numel() / columns; ++row) {
    const std::size_t visible = columns - rows + row % rows + 1;
    long double sum = 0;
    for (std::size_t i = 0; i < visible; ++i) {
      sum += std::exp(in->value(row * columns + i));
    }
    for (std::size_t i = 0; i < columns; ++i) {
      const std::size_t at = row * columns + i;
      if (i < visible) {
        expect_near(out, at, std::exp(in->value(at)) / sum, slack);
      } else {
        ASSERT_EQ(out->bits(at), 0U);
      }
    }
  }
}

TEST_P(RowsTest, CausalSoftmaxHidesTheUpperTriangle) {
  for (const bool any_layout : {false, true}) {
    for (const Tensor::Shape& shape :
         {Tensor::Shape{1, 1}, {5, 5}, {3, 7}, {4, 6, 9}, {2, 40, 90}}) {
      TestTensor in = make(shape, any_layout, true);
      TestTensor out = make(shape, false);
      Operator<CausalSoftmax>::Call(Handle(), Config(), in.view(), out.view());
      expect_softmax(&in, &out);
      TestTensor before = out;
      Operator<CausalSoftmax>::Call(Handle(), Config(), out.view(), out.view());
      expect_softmax(&before, &out);
    }
  }
}

TEST_P(RowsTest, CausalSoftmaxDoesNotOverflowAndKeepsNan) {
  TestTensor in(GetParam(), {2, 3});
  for (std::size_t i = 0; i < 6; ++i) {
    in.set_value(i, 60000.0L);
  }
  TestTensor out(GetParam(), {2, 3});
  Operator<CausalSoftmax>::Call(Handle(), Config(), in.view(), out.view());
  EXPECT_EQ(out.value(0), 0.5L);
  EXPECT_EQ(out.value(2), 0.0L);
  in.set_bits(1, TestTensor::encode(GetParam(), std::nanl("")));
  Operator<CausalSoftmax>::Call(Handle(), Config(), in.view(), out.view());
  EXPECT_TRUE(std::isnan(out.value(0)));
}

TEST_P(RowsTest, SwigluMultipliesByTheGate) {
  for (const bool any_layout : {false, true}) {
    for (const Tensor::Shape& shape :
         {Tensor::Shape{}, {9}, {33, 65}, {3, 4, 5}}) {
      TestTensor in = make(shape, any_layout, true);
      TestTensor gate = make(shape, any_layout, true);
      TestTensor out = make(shape, any_layout);
      Operator<Swiglu>::Call(
          Handle(), Config(), in.view(), gate.view(), out.view());
      for (std::size_t i = 0; i < out.numel(); ++i) {
        const long double opening = gate.value(i);
        expect_near(
            &out, i, in.value(i) * opening / (1 + std::exp(-opening)), 2);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FloatTypes, RowsTest, testing::ValuesIn(kFloatTypes));

std::string reason(const std::string& text) {
  return text.substr(0, text.find("; got"));
}

TEST(RowsErrors, RmsNorm) {
  TestTensor in(DataType::kFloat32, {2, 3});
  TestTensor out(DataType::kFloat32, {2, 3});
  TestTensor weight(DataType::kFloat32, {2});
  TestTensor integer(DataType::kInt32, {2, 3});
  TestTensor half(DataType::kFloat16, {3});
  const auto error = [&](const Tensor& input, const Tensor& factors) {
    return reason(error_of([&] {
      Operator<RmsNorm>::Call(Handle(), Config(), input, factors, out.view());
    }));
  };
  EXPECT_EQ(error(in.view(), weight.view()),
            "RmsNorm: expected `weight` to have the size of the last dimension "
            "of `out`");
  EXPECT_EQ(error(in.view(), in.view()),
            "RmsNorm: expected `weight` to have 1 dimension");
  EXPECT_EQ(error(in.view(), half.view()),
            "RmsNorm: expected `weight` to have the dtype of `input`, float32");
  EXPECT_EQ(error(integer.view(), half.view()),
            "RmsNorm: expected `input` to have dtype float16, bfloat16, "
            "float32 or float64");
  EXPECT_EQ(error(weight.view(), weight.view()),
            "RmsNorm: expected `input` and `out` to have the same shape of at "
            "least one dimension");
  EXPECT_TRUE(out.is_untouched());
}

TEST(RowsErrors, CausalSoftmax) {
  TestTensor tall(DataType::kFloat32, {3, 2});
  TestTensor flat(DataType::kFloat32, {3});
  TestTensor integer(DataType::kInt64, {3, 3});
  const auto error = [](const Tensor& input, const Tensor& out) {
    return reason(error_of([&] {
      Operator<CausalSoftmax>::Call(Handle(), Config(), input, out);
    }));
  };
  EXPECT_EQ(error(tall.view(), tall.view()),
            "CausalSoftmax: expected no more rows than columns");
  EXPECT_EQ(error(flat.view(), flat.view()),
            "CausalSoftmax: expected `input` and `out` to have the same shape "
            "of two or three "
            "dimensions");
  EXPECT_EQ(error(integer.view(), integer.view()),
            "CausalSoftmax: expected `input` to have dtype float16, bfloat16, "
            "float32 or float64");
}

TEST(RowsErrors, Swiglu) {
  TestTensor a(DataType::kFloat32, {3});
  TestTensor b(DataType::kFloat64, {3});
  TestTensor c(DataType::kInt8, {3});
  TestTensor d(DataType::kFloat32, {2});
  const auto error = [&](const Tensor& input, const Tensor& gate) {
    return reason(error_of([&] {
      Operator<Swiglu>::Call(Handle(), Config(), input, gate, a.view());
    }));
  };
  EXPECT_EQ(error(a.view(), b.view()),
            "Swiglu: expected `gate` to have the dtype of `input`, float32");
  EXPECT_EQ(error(c.view(), c.view()),
            "Swiglu: expected `input` to have dtype float16, bfloat16, float32 "
            "or float64");
  EXPECT_EQ(error(a.view(), d.view()),
            "Swiglu: expected `gate` to broadcast to the shape of `out`");
  EXPECT_TRUE(a.is_untouched());
}

}  // namespace

}  // namespace infini::ops::test
