#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "../test_tensor.h"

namespace infini::ops::test {

namespace {

// The value that a conversion of an in-range `value` gives.
std::uint64_t reference(DataType from,
                        DataType to,
                        std::uint64_t bits,
                        long double value) {
  if (from == to) {
    return bits;
  }
  if (is_float(to)) {
    const bool narrow = size_of(to) == 2;
    return TestTensor::encode(to, narrow ? static_cast<float>(value) : value);
  }
  return TestTensor::encode(to, std::trunc(value));
}

void fill_in_range(DataType to, TestTensor* tensor, std::mt19937_64* random) {
  tensor->fill(random);
  if (is_float(tensor->dtype()) && !is_float(to)) {
    for (std::size_t i = 0; i < tensor->numel(); ++i) {
      const bool is_signed = static_cast<int>(to) < 4;
      const auto hundredths = static_cast<std::int64_t>((*random)() % 12000);
      tensor->set_value(
          i,
          static_cast<long double>(is_signed ? hundredths - 6000 : hundredths) /
              100);
    }
  }
}

class CastTest : public testing::TestWithParam<std::tuple<DataType, DataType>> {
 protected:
  DataType from() const { return std::get<0>(GetParam()); }

  DataType to() const { return std::get<1>(GetParam()); }

  void check(const Tensor::Shape& shape,
             const Tensor::Strides& in_strides,
             const Tensor::Strides& out_strides) {
    TestTensor in(from(), shape, in_strides);
    TestTensor out(to(), shape, out_strides);
    fill_in_range(to(), &in, &random_);
    Operator<Cast>::Call(Handle(), Config(), in.view(), out.view());
    for (std::size_t i = 0; i < out.numel(); ++i) {
      ASSERT_EQ(out.bits(i), reference(from(), to(), in.bits(i), in.value(i)))
          << static_cast<double>(in.value(i));
    }
    EXPECT_TRUE(out.is_intact());
  }

  std::mt19937_64 random_{7};
};

TEST_P(CastTest, ConvertsContiguousTensors) {
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{67}, std::size_t{70001}}) {
    check({length}, {1}, {1});
  }
}

TEST_P(CastTest, ConvertsAnyLayout) {
  for (int round = 0; round < 30; ++round) {
    const Tensor::Shape shape = random_shape(1 + random_() % 4, 8, &random_);
    check(shape,
          random_strides(shape, true, &random_),
          random_strides(shape, false, &random_));
  }
}

TEST_P(CastTest, TransposesWhileItConverts) {
  check({70, 90}, {1, 70}, {90, 1});
}

INSTANTIATE_TEST_SUITE_P(AllPairs,
                         CastTest,
                         testing::Combine(testing::ValuesIn(kAllTypes),
                                          testing::ValuesIn(kAllTypes)));

TEST(Cast, KeepsTheOrderOfElementsBetweenShapes) {
  TestTensor in(DataType::kInt32, {2, 6}, {1, 2});
  TestTensor out(DataType::kFloat64, {3, 4}, {1, 3});
  for (std::size_t i = 0; i < 12; ++i) {
    in.set_bits(i, i);
  }
  Operator<Cast>::Call(Handle(), Config(), in.view(), out.view());
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(out.value(i), static_cast<long double>(i));
  }
}

TEST(Cast, RoundsIntegersThatAFloatCannotHold) {
  TestTensor in(DataType::kInt64, {3});
  TestTensor out(DataType::kFloat32, {3});
  const std::int64_t values[] = {
      (1LL << 24) + 1, (1LL << 24) + 3, -((1LL << 53) + 1)};
  for (std::size_t i = 0; i < 3; ++i) {
    in.set_bits(i, static_cast<std::uint64_t>(values[i]));
  }
  Operator<Cast>::Call(Handle(), Config(), in.view(), out.view());
  EXPECT_EQ(out.value(0), 0x1p24L);
  EXPECT_EQ(out.value(1), 0x1p24L + 4);
  EXPECT_EQ(out.value(2), -0x1p53L);
}

TEST(Cast, HoldsTheExtremesOfEachInteger) {
  for (const DataType dtype : kAllTypes) {
    if (is_float(dtype)) {
      continue;
    }
    const int bits = 8 * static_cast<int>(size_of(dtype));
    const bool is_signed = static_cast<int>(dtype) < 4;
    TestTensor in(DataType::kFloat64, {2});
    TestTensor out(dtype, {2});
    // The largest double below the limit, and the smallest value.
    in.set_value(0, is_signed ? -std::ldexp(1.0L, bits - 1) : 0.0L);
    in.set_value(1,
                 std::ldexp(1.0L, is_signed ? bits - 1 : bits) -
                     (bits == 64 ? 2048 : 1));
    Operator<Cast>::Call(Handle(), Config(), in.view(), out.view());
    EXPECT_EQ(out.value(0), in.value(0)) << static_cast<int>(dtype);
    EXPECT_EQ(out.value(1), in.value(1)) << static_cast<int>(dtype);
  }
}

TEST(Cast, RefusesDifferentNumbersOfElements) {
  TestTensor in(DataType::kInt32, {4});
  TestTensor out(DataType::kInt8, {5});
  const std::string text = error_of(
      [&] { Operator<Cast>::Call(Handle(), Config(), in.view(), out.view()); });
  EXPECT_EQ(
      text.substr(0, text.find(';')),
      "Cast: expected `input` and `out` to have the same number of elements");
  TestTensor one(DataType::kInt32, {1});
  EXPECT_NE(error_of([&] {
              Operator<Cast>::Call(Handle(), Config(), one.view(), out.view());
            }),
            "");
  EXPECT_TRUE(out.is_untouched());
}

TEST(Cast, RefusesAPartialOverlapAndReadsFirstWhereUncertain) {
  TestTensor memory(DataType::kInt32, {16});
  for (std::size_t i = 0; i < 16; ++i) {
    memory.set_bits(i, i + 1);
  }
  const Tensor halves(memory.data(), Tensor::Shape{16}, DataType::kInt16);
  const Tensor words = memory.view();
  EXPECT_NE(error_of([&] {
              Operator<Cast>::Call(Handle(), Config(), words, halves);
            }).find("not to overlap the memory of `input` partially"),
            std::string::npos);
  EXPECT_EQ(memory.bits(7), 8U);
  const Tensor sparse(memory.data(),
                      Tensor::Shape{8},
                      DataType::kInt16,
                      Device(),
                      Tensor::Strides{4});
  Operator<Cast>::Call(Handle(), Config(), memory.view({8}, {1}), sparse);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(memory.bits(2 * i) & 0xffffU, i + 1);
  }
}

}  // namespace

}  // namespace infini::ops::test
