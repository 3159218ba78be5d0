#include "embedded/ops/cpu/half.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "../test_tensor.h"
#include "embedded/ops/cpu/target.h"

namespace infini::ops::cpu {

namespace {

constexpr std::size_t kPatterns = 65536;

template <class T>
T from_bits(std::uint32_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

UnaryBlock block_of(const void* in,
                    std::size_t in_size,
                    void* out,
                    std::size_t out_size,
                    std::size_t count) {
  return {static_cast<char*>(out),
          static_cast<const char*>(in),
          {count, 1},
          {static_cast<std::ptrdiff_t>(out_size), 0},
          {static_cast<std::ptrdiff_t>(in_size), 0}};
}

constexpr int kHalf = static_cast<int>(DataType::kFloat16);
constexpr int kBFloat = static_cast<int>(DataType::kBFloat16);
constexpr int kFloat = static_cast<int>(DataType::kFloat32);

class TargetTest : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor cannot run "
                   << kernels_of(GetParam()).name;
    }
  }

  // Converts and compares with the always inlined functions, by bits.
  void expect_floats_become(int dtype, const std::vector<float>& values) {
    std::vector<std::uint16_t> out(values.size());
    kernels_of(GetParam())
        .cast[kFloat][dtype](
            block_of(values.data(), 4, out.data(), 2, values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint16_t expected = dtype == kHalf
                                         ? float_to_half(values[i]).bits
                                         : float_to_bfloat(values[i]).bits;
      ASSERT_EQ(out[i], expected) << values[i] << " " << bits_of(values[i]);
    }
  }
};

TEST_P(TargetTest, WidensAllPatterns) {
  std::vector<std::uint16_t> in(kPatterns);
  for (std::size_t i = 0; i < kPatterns; ++i) {
    in[i] = static_cast<std::uint16_t>(i);
  }
  std::vector<float> out(kPatterns);
  for (const int dtype : {kHalf, kBFloat}) {
    kernels_of(GetParam())
        .cast[dtype][kFloat](block_of(in.data(), 2, out.data(), 4, kPatterns));
    for (std::size_t i = 0; i < kPatterns; ++i) {
      const float expected =
          dtype == kHalf ? half_to_float({in[i]}) : bfloat_to_float({in[i]});
      ASSERT_EQ(bits_of(out[i]), bits_of(expected)) << i;
      const long double value =
          test::decode_16(static_cast<DataType>(dtype), in[i]);
      ASSERT_TRUE(std::isnan(value) ? std::isnan(out[i])
                                    : out[i] == static_cast<float>(value));
    }
  }
}

TEST_P(TargetTest, NarrowsTheNeighboursOfAllPatterns) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < kPatterns; ++i) {
    for (const float value :
         {half_to_float({static_cast<std::uint16_t>(i)}),
          bfloat_to_float({static_cast<std::uint16_t>(i)})}) {
      const std::uint32_t bits = bits_of(value);
      // The value, the float next to it, the tie half a unit up and the floats
      // around the tie.
      for (const std::uint32_t step :
           {0x0U, 0x1U, 0xfffU, 0x1000U, 0x1001U, 0x7fffU, 0x8000U, 0x8001U}) {
        values.push_back(from_bits<float>(bits + step));
      }
    }
  }
  expect_floats_become(kHalf, values);
  expect_floats_become(kBFloat, values);
}

TEST_P(TargetTest, NarrowsAStrideOfAllFloats) {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 1021) {
    values.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
  }
  expect_floats_become(kHalf, values);
  expect_floats_become(kBFloat, values);
}

TEST_P(TargetTest, AddsAndMultipliesAllPatterns) {
  std::vector<std::uint16_t> a(kPatterns);
  std::vector<std::uint16_t> b(kPatterns);
  std::vector<std::uint16_t> out(kPatterns);
  std::mt19937 random(5);
  for (std::size_t i = 0; i < kPatterns; ++i) {
    a[i] = static_cast<std::uint16_t>(i);
    b[i] = static_cast<std::uint16_t>(random());
  }
  const BinaryBlock block{reinterpret_cast<char*>(out.data()),
                          reinterpret_cast<const char*>(a.data()),
                          reinterpret_cast<const char*>(b.data()),
                          {kPatterns, 1},
                          {2, 0},
                          {2, 0},
                          {2, 0}};
  for (const int dtype : {kHalf, kBFloat}) {
    const auto widen = [dtype](std::uint16_t bits) {
      return dtype == kHalf ? half_to_float({bits}) : bfloat_to_float({bits});
    };
    for (const bool multiply : {false, true}) {
      const Kernels& kernels = kernels_of(GetParam());
      (multiply ? kernels.mul : kernels.add)[dtype](block);
      for (std::size_t i = 0; i < kPatterns; ++i) {
        const float x = widen(a[i]);
        const float y = widen(b[i]);
        const float exact = multiply ? x * y : x + y;
        if (std::isnan(exact)) {
          ASSERT_TRUE(std::isnan(widen(out[i])));
          continue;
        }
        ASSERT_EQ(out[i], test::encode_16(static_cast<DataType>(dtype), exact))
            << x << " " << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets,
                         TargetTest,
                         testing::ValuesIn(kTargets),
                         [](const testing::TestParamInfo<Target>& info) {
                           return std::string(kernels_of(info.param).name);
                         });

TEST(Half, RoundsToNearestEven) {
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 4093) {
    const auto value = from_bits<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
      EXPECT_TRUE(std::isnan(bfloat_to_float(float_to_bfloat(value))));
      continue;
    }
    ASSERT_EQ(float_to_half(value).bits,
              test::encode_16(DataType::kFloat16, value))
        << value;
    ASSERT_EQ(float_to_bfloat(value).bits,
              test::encode_16(DataType::kBFloat16, value))
        << value;
  }
}

TEST(Target, TheBestSupportedOneIsUsed) {
  std::string best;
  for (const Target target : kTargets) {
    best = is_supported(target) ? kernels_of(target).name : best;
  }
  EXPECT_EQ(kernels().name, best);
}

}  // namespace

}  // namespace infini::ops::cpu
