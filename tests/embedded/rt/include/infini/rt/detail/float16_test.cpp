#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ios>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt {
namespace {

// The two formats by their definition, in double, which holds every value and
// midpoint exactly.
struct Format {
  int mantissa_bits;
  int exponent_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  std::uint16_t infinity() const {
    return static_cast<std::uint16_t>(((1U << exponent_bits) - 1U)
                                      << mantissa_bits);
  }

  // The value of a pattern without sign; the infinity counts as the next power
  // of two, which is what makes rounding overflow to it.
  double value(unsigned pattern) const {
    const int exponent = static_cast<int>(pattern >> mantissa_bits);
    const unsigned mantissa = pattern & ((1U << mantissa_bits) - 1U);
    const int scale = std::max(exponent, 1) - bias() - mantissa_bits;
    const unsigned implicit = exponent == 0 ? 0U : 1U << mantissa_bits;
    return std::ldexp(implicit | mantissa, scale);
  }

  // The pattern nearest to a finite or infinite value, the even one of two.
  std::uint16_t nearest(float value) const {
    const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
    const double magnitude = std::fabs(static_cast<double>(value));
    unsigned low = 0;
    unsigned high = infinity();
    if (magnitude >= this->value(high)) {
      return static_cast<std::uint16_t>(sign | high);
    }
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (this->value(middle) <= magnitude ? low : high) = middle;
    }
    const double below = magnitude - this->value(low);
    const double above = this->value(high) - magnitude;
    const bool up = above < below || (above == below && (low & 1U) != 0);
    return static_cast<std::uint16_t>(sign | (up ? high : low));
  }
};

constexpr Format kHalf{10, 5};
constexpr Format kBrain{7, 8};

template <typename T>
class Float16Test : public testing::Test {
 public:
  static constexpr Format format() {
    return std::is_same_v<T, Float16> ? kHalf : kBrain;
  }

  static void expect_nearest(float value) {
    ASSERT_EQ(T::FromFloat(value).bits, format().nearest(value))
        << std::hexfloat << value;
  }
};

using Types = testing::Types<Float16, BFloat16>;
TYPED_TEST_SUITE(Float16Test, Types);

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TYPED_TEST(Float16Test, AllPatternsHaveTheirValue) {
  const Format format = this->format();
  for (unsigned pattern = 0; pattern < 0x10000U; ++pattern) {
    const TypeParam number{static_cast<std::uint16_t>(pattern)};
    const unsigned magnitude = pattern & 0x7fffU;
    const float value = number.ToFloat();
    ASSERT_EQ(std::signbit(value), pattern >= 0x8000U) << pattern;
    if (magnitude > format.infinity()) {
      ASSERT_TRUE(std::isnan(value)) << pattern;
    } else if (magnitude == format.infinity()) {
      ASSERT_TRUE(std::isinf(value)) << pattern;
    } else {
      ASSERT_EQ(std::fabs(static_cast<double>(value)), format.value(magnitude))
          << pattern;
    }
  }
}

TYPED_TEST(Float16Test, AllPatternsSurviveTheWayThroughFloat) {
  const unsigned quiet = 1U << (this->format().mantissa_bits - 1);
  for (unsigned pattern = 0; pattern < 0x10000U; ++pattern) {
    const TypeParam number{static_cast<std::uint16_t>(pattern)};
    const bool is_nan = (pattern & 0x7fffU) > this->format().infinity();
    ASSERT_EQ(TypeParam::FromFloat(number.ToFloat()).bits,
              is_nan ? pattern | quiet : pattern);
  }
}

TYPED_TEST(Float16Test, RoundsAroundEveryMidpoint) {
  const Format format = this->format();
  for (unsigned pattern = 0; pattern < format.infinity(); ++pattern) {
    const double middle =
        (format.value(pattern) + format.value(pattern + 1)) / 2;
    const auto value = static_cast<float>(middle);
    for (const float sign : {1.0F, -1.0F}) {
      this->expect_nearest(sign * value);
      this->expect_nearest(sign * std::nextafter(value, 0.0F));
      this->expect_nearest(
          sign * std::nextafter(value, std::numeric_limits<float>::infinity()));
    }
  }
}

TYPED_TEST(Float16Test, RoundsRandomPatterns) {
  std::mt19937 random{20240607};
  for (int i = 0; i < 200000; ++i) {
    const float value = float_of(static_cast<std::uint32_t>(random()));
    if (!std::isnan(value)) {
      this->expect_nearest(value);
    }
  }
}

TYPED_TEST(Float16Test, KeepsNan) {
  for (const std::uint32_t bits :
       {0x7f800001U, 0x7fffffffU, 0x7fc00000U, 0x7f80ffffU}) {
    for (const std::uint32_t sign : {0U, 0x80000000U}) {
      const TypeParam number = TypeParam::FromFloat(float_of(bits | sign));
      EXPECT_GT(number.bits & 0x7fffU, this->format().infinity()) << bits;
      EXPECT_EQ((number.bits & 0x8000U) != 0, sign != 0) << bits;
    }
  }
}

TYPED_TEST(Float16Test, IgnoresTheRoundingModeOfTheThread) {
  const float third = 1.0F / 3.0F;
  const std::uint16_t expected = TypeParam::FromFloat(third).bits;
  const float subnormal = TypeParam{0x0003}.ToFloat();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::uint16_t bits = TypeParam::FromFloat(third).bits;
    const float same = TypeParam{0x0003}.ToFloat();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(bits, expected);
    EXPECT_EQ(bits_of(same), bits_of(subnormal));
  }
}

TEST(Float16Limits, KnownValues) {
  EXPECT_EQ(Float16::FromFloat(65504.0F).bits, 0x7bff);
  EXPECT_EQ(Float16::FromFloat(65519.996F).bits, 0x7bff);
  EXPECT_EQ(Float16::FromFloat(65520.0F).bits, 0x7c00);
  EXPECT_EQ(Float16::FromFloat(0x1p-25F).bits, 0x0000);
  EXPECT_EQ(Float16::FromFloat(0x1.000002p-25F).bits, 0x0001);
  EXPECT_EQ(Float16::FromFloat(2049.0F).bits, 0x6800);
  EXPECT_EQ(Float16::FromFloat(2051.0F).bits, 0x6802);
  EXPECT_EQ(BFloat16::FromFloat(float_of(0x7f7f8000U)).bits, 0x7f80);
  EXPECT_EQ(BFloat16::FromFloat(float_of(0x3f808000U)).bits, 0x3f80);
  EXPECT_EQ(BFloat16::FromFloat(float_of(0x3f818000U)).bits, 0x3f82);
}

}  // namespace
}  // namespace infini::rt
