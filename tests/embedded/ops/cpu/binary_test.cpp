#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

#include "../test_tensor.h"

namespace infini::ops::test {

namespace {

enum class Kind : std::uint8_t { kAdd, kMul };

void call(Kind kind,
          const Tensor& input,
          const Tensor& other,
          const Tensor& out) {
  if (kind == Kind::kAdd) {
    Operator<Add>::Call(Handle(), Config(), input, other, out);
  } else {
    Operator<Mul>::Call(Handle(), Config(), input, other, out);
  }
}

std::uint64_t reference(Kind kind,
                        DataType dtype,
                        std::uint64_t a,
                        std::uint64_t b) {
  if (!is_float(dtype)) {
    const std::uint64_t result = kind == Kind::kAdd ? a + b : a * b;
    return result & (~0ULL >> (64 - 8 * size_of(dtype)));
  }
  if (dtype == DataType::kFloat64) {
    const auto x = static_cast<double>(TestTensor::decode(dtype, a));
    const auto y = static_cast<double>(TestTensor::decode(dtype, b));
    const double result = kind == Kind::kAdd ? x + y : x * y;
    return TestTensor::encode(dtype, result);
  }
  const auto x = static_cast<float>(TestTensor::decode(dtype, a));
  const auto y = static_cast<float>(TestTensor::decode(dtype, b));
  const float result = kind == Kind::kAdd ? x + y : x * y;
  return TestTensor::encode(dtype, result);
}

void expect_result(Kind kind,
                   TestTensor* input,
                   TestTensor* other,
                   TestTensor* out) {
  for (std::size_t i = 0; i < out->numel(); ++i) {
    ASSERT_EQ(out->bits(i),
              reference(kind,
                        out->dtype(),
                        input->bits(i, out->shape()),
                        other->bits(i, out->shape())))
        << "element " << i << " of dtype " << static_cast<int>(out->dtype());
  }
  EXPECT_TRUE(out->is_intact());
}

class BinaryTest : public testing::TestWithParam<std::tuple<Kind, DataType>> {
 protected:
  Kind kind() const { return std::get<0>(GetParam()); }

  DataType dtype() const { return std::get<1>(GetParam()); }

  void check(const Tensor::Shape& shape,
             const Tensor::Shape& input,
             const Tensor::Shape& other) {
    TestTensor a(dtype(), input);
    TestTensor b(dtype(), other);
    TestTensor out(dtype(), shape);
    a.fill(&random_);
    b.fill(&random_);
    call(kind(), a.view(), b.view(), out.view());
    expect_result(kind(), &a, &b, &out);
  }

  std::mt19937_64 random_{20240731};
};

TEST_P(BinaryTest, ComputesEveryLengthAroundTheVectorSizes) {
  for (std::size_t length = 1; length <= 140; ++length) {
    check({length}, {length}, {length});
  }
}

TEST_P(BinaryTest, ComputesLargeTensorsOnSeveralThreads) {
  check({100003}, {100003}, {100003});
  check({317, 331}, {317, 331}, {317, 331});
}

TEST_P(BinaryTest, Broadcasts) {
  check({5, 7}, {5, 7}, {7});
  check({5, 7}, {5, 7}, {5, 1});
  check({5, 7}, {7}, {5, 1});
  check({5, 7}, {1}, {5, 7});
  check({5, 7}, {}, {5, 7});
  check({2, 3, 4}, {3, 1}, {2, 1, 4});
  check({300, 400}, {400}, {300, 1});
}

TEST_P(BinaryTest, AcceptsZeroDimensionalAndEmptyTensors) {
  check({}, {}, {});
  check({0}, {0}, {0});
  check({3, 0, 2}, {3, 0, 2}, {1, 1});
}

TEST_P(BinaryTest, WalksTransposedTensors) {
  TestTensor a(dtype(), {123, 77}, {1, 123});
  TestTensor b(dtype(), {123, 77});
  TestTensor out(dtype(), {123, 77});
  a.fill(&random_);
  b.fill(&random_);
  call(kind(), a.view(), b.view(), out.view());
  expect_result(kind(), &a, &b, &out);
  call(kind(), b.view(), a.view(), out.view());
  expect_result(kind(), &b, &a, &out);
  TestTensor across(dtype(), {123, 77}, {1, 123});
  call(kind(), a.view(), b.view(), across.view());
  expect_result(kind(), &a, &b, &across);
}

TEST_P(BinaryTest, WalksAnyLayout) {
  for (int round = 0; round < 60; ++round) {
    const Tensor::Shape shape = random_shape(1 + random_() % 5, 9, &random_);
    TestTensor a(dtype(), shape, random_strides(shape, true, &random_));
    TestTensor b(dtype(), shape, random_strides(shape, true, &random_));
    TestTensor out(dtype(), shape, random_strides(shape, false, &random_));
    a.fill(&random_);
    b.fill(&random_);
    call(kind(), a.view(), b.view(), out.view());
    expect_result(kind(), &a, &b, &out);
  }
}

TEST_P(BinaryTest, WalksLargeStridedLayouts) {
  for (int round = 0; round < 2; ++round) {
    Tensor::Shape shape{41, 67, 29};
    std::shuffle(shape.begin(), shape.end(), random_);
    TestTensor a(dtype(), shape, random_strides(shape, true, &random_));
    TestTensor b(dtype(), shape, random_strides(shape, true, &random_));
    TestTensor out(dtype(), shape, random_strides(shape, false, &random_));
    a.fill(&random_);
    b.fill(&random_);
    call(kind(), a.view(), b.view(), out.view());
    expect_result(kind(), &a, &b, &out);
  }
}

TEST_P(BinaryTest, ComputesInPlace) {
  for (const Tensor::Shape& shape :
       {Tensor::Shape{1}, {1000}, {33, 65}, {70000}}) {
    TestTensor a(dtype(), shape);
    TestTensor b(dtype(), shape);
    a.fill(&random_);
    b.fill(&random_);
    TestTensor before = a;
    call(kind(), a.view(), b.view(), a.view());
    expect_result(kind(), &before, &b, &a);
    TestTensor again = a;
    call(kind(), a.view(), a.view(), a.view());
    expect_result(kind(), &again, &again, &a);
  }
}

TEST_P(BinaryTest, ReadsInputsFirstWhereTheyMayOverlap) {
  TestTensor memory(dtype(), {64});
  TestTensor b(dtype(), {16});
  memory.fill(&random_);
  b.fill(&random_);
  TestTensor before = memory;
  // Every second element of the same memory, one of them with a shift of two.
  const Tensor out = memory.view({16}, {2});
  const Tensor input(memory.data() + 4 * size_of(dtype()),
                     Tensor::Shape{16},
                     dtype(),
                     Device(),
                     Tensor::Strides{2});
  call(kind(), input, b.view(), out);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(memory.bits(2 * i),
              reference(kind(), dtype(), before.bits(2 * i + 4), b.bits(i)));
    EXPECT_EQ(memory.bits(2 * i + 1), before.bits(2 * i + 1));
  }
}

TEST_P(BinaryTest, RefusesARowOfTheOutput) {
  TestTensor memory(dtype(), {6, 5});
  const std::string text = error_of([&] {
    call(kind(), memory.view(), memory.view({5}, {1}), memory.view());
  });
  EXPECT_NE(
      text.find(
          "expected `out` not to overlap the memory of `other` partially"),
      std::string::npos);
  EXPECT_TRUE(memory.is_untouched());
}

TEST_P(BinaryTest, AcceptsInputsBetweenTheElementsOfTheOutput) {
  TestTensor memory(dtype(), {8, 10});
  memory.fill(&random_);
  TestTensor before = memory;
  const Tensor left = memory.view({8, 5}, {10, 1});
  const Tensor right(memory.data() + 5 * size_of(dtype()),
                     Tensor::Shape{8, 5},
                     dtype(),
                     Device(),
                     Tensor::Strides{10, 1});
  call(kind(), left, right, left);
  for (std::size_t i = 0; i < 80; ++i) {
    EXPECT_EQ(
        memory.bits(i),
        i % 10 < 5
            ? reference(kind(), dtype(), before.bits(i), before.bits(i + 5))
            : before.bits(i));
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes,
                         BinaryTest,
                         testing::Combine(testing::Values(Kind::kAdd,
                                                          Kind::kMul),
                                          testing::ValuesIn(kAllTypes)));

TEST(Binary, KeepsSpecialFloats) {
  for (const DataType dtype : kFloatTypes) {
    constexpr auto kInfinity = std::numeric_limits<long double>::infinity();
    const long double values[] = {
        0.0L, -0.0L, kInfinity, -kInfinity, std::nanl(""), 1.0L};
    for (const long double x : values) {
      for (const long double y : values) {
        TestTensor a(dtype, {40});
        TestTensor b(dtype, {40});
        TestTensor out(dtype, {40});
        for (std::size_t i = 0; i < 40; ++i) {
          a.set_bits(i, TestTensor::encode(dtype, x));
          b.set_bits(i, TestTensor::encode(dtype, y));
        }
        call(Kind::kAdd, a.view(), b.view(), out.view());
        for (const std::size_t i : {std::size_t{0}, std::size_t{39}}) {
          const long double sum = x + y;
          EXPECT_EQ(std::isnan(out.value(i)), std::isnan(sum));
          if (!std::isnan(sum)) {
            EXPECT_EQ(out.value(i), sum);
            EXPECT_EQ(std::signbit(out.value(i)), std::signbit(sum));
          }
        }
      }
    }
  }
}

class BinaryErrorTest : public testing::Test {
 protected:
  std::string error(const Tensor& input,
                    const Tensor& other,
                    const Config& config = Config()) {
    const std::string text = error_of([&] {
      Operator<Add>::Call(Handle(), config, input, other, out_.view());
    });
    EXPECT_TRUE(out_.is_untouched());
    return text;
  }

  TestTensor a_{DataType::kFloat32, {2, 3}};
  TestTensor wrong_type_{DataType::kFloat64, {2, 3}};
  TestTensor wrong_shape_{DataType::kFloat32, {3, 2}};
  TestTensor out_{DataType::kFloat32, {2, 3}};
};

TEST_F(BinaryErrorTest, NamesADtypeThatDiffers) {
  EXPECT_EQ(
      error(a_.view(), wrong_type_.view()),
      "Add: expected `other` to have the dtype of `input`, float32; got input: "
      "float32[2, 3] on cpu:0, other: float64[2, 3] on cpu:0, out: float32[2, "
      "3] on cpu:0");
}

TEST_F(BinaryErrorTest, NamesAShapeThatDoesNotBroadcast) {
  EXPECT_EQ(
      error(wrong_shape_.view(), a_.view()),
      "Add: expected `input` to broadcast to the shape of `out`; got input: "
      "float32[3, 2] "
      "on cpu:0, other: float32[2, 3] on cpu:0, out: float32[2, 3] on cpu:0");
}

TEST_F(BinaryErrorTest, NamesAForeignDevice) {
  const Tensor far(a_.data(),
                   Tensor::Shape{2, 3},
                   DataType::kFloat32,
                   Device(Device::Type::kNvidia, 1));
  EXPECT_EQ(error(a_.view(), far),
            "Add: expected `other` to be on the CPU, the only device of this "
            "library; got input: "
            "float32[2, 3] on cpu:0, other: float32[2, 3] on nvidia:1, out: "
            "float32[2, 3] on "
            "cpu:0");
}

TEST_F(BinaryErrorTest, NamesAnUnknownImplementation) {
  Config config;
  config.set_implementation_index(3);
  EXPECT_NE(error(a_.view(), a_.view(), config)
                .find("expected implementation index 0, the only "
                      "one on the CPU, not 3; got"),
            std::string::npos);
}

TEST_F(BinaryErrorTest, NamesABroadcastOutput) {
  const Tensor wide = out_.view({4, 3}, {0, 1});
  TestTensor input(DataType::kFloat32, {4, 3});
  const std::string text = error_of([&] {
    Operator<Mul>::Call(Handle(), Config(), input.view(), input.view(), wide);
  });
  EXPECT_NE(text.find("Mul: expected `out` to have no broadcast dimension "
                      "(stride 0), since it is "
                      "written; got"),
            std::string::npos);
  EXPECT_NE(text.find("out: float32[4, 3] with strides [0, 1] on cpu:0"),
            std::string::npos);
  EXPECT_TRUE(out_.is_untouched());
}

TEST_F(BinaryErrorTest, NamesAPartialOverlap) {
  TestTensor memory(DataType::kFloat32, {8});
  const Tensor front = memory.view({4}, {1});
  const Tensor back(memory.data() + 4, Tensor::Shape{4}, DataType::kFloat32);
  const std::string text = error_of(
      [&] { Operator<Add>::Call(Handle(), Config(), back, front, front); });
  EXPECT_NE(
      text.find(
          "expected `out` not to overlap the memory of `input` partially"),
      std::string::npos);
  EXPECT_TRUE(memory.is_untouched());
}

TEST_F(BinaryErrorTest, NamesMissingMemoryStridesAndHugeShapes) {
  const Tensor null(nullptr, Tensor::Shape{2, 3});
  EXPECT_NE(
      error(null, a_.view()).find("`input` to have memory, not a null pointer"),
      std::string::npos);
  const Tensor short_strides = a_.view({2, 3}, {1});
  EXPECT_NE(error(short_strides, a_.view())
                .find("`input` to have as many strides as sizes"),
            std::string::npos);
  const Tensor huge =
      a_.view({std::size_t{1} << 40, std::size_t{1} << 40}, {0, 0});
  EXPECT_NE(error(huge, a_.view())
                .find("`input` to have a number of elements that fits"),
            std::string::npos);
}

TEST_F(BinaryErrorTest, DerivesFromInvalidArgument) {
  EXPECT_THROW(
      Operator<Add>::Call(
          Handle(), Config(), a_.view(), wrong_type_.view(), out_.view()),
      std::invalid_argument);
}

}  // namespace

}  // namespace infini::ops::test
