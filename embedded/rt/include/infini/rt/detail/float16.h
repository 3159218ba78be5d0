// The 16-bit floating-point types as bit patterns with conversions from and to
// float.
//
// Invariant: FromFloat rounds to the nearest value, ties to the even one,
// whatever the rounding mode of the thread; X::FromFloat(x.ToFloat()) == x for
// every x that is not a signalling NaN. A NaN stays a NaN of the same sign: the
// upper bits of its payload are kept and it becomes quiet.
#pragma once

#include <cstdint>
#include <cstring>

#include <infini/rt/detail/export.h>

namespace infini::rt {

// IEEE 754 binary16.
struct INFINI_API Float16 {
  std::uint16_t bits;

  static inline Float16 FromFloat(float value);

  inline float ToFloat() const;
};

// The upper half of an IEEE 754 binary32.
struct INFINI_API BFloat16 {
  std::uint16_t bits;

  static inline BFloat16 FromFloat(float value);

  inline float ToFloat() const;
};

namespace float16_detail {

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7f800000U;
constexpr std::uint32_t kImplicitBit = 0x00800000U;
constexpr std::uint32_t kMantissa = 0x007fffffU;
// As float: the smallest magnitude that rounds to a binary16 infinity, and the
// smallest normal one.
constexpr std::uint32_t kHalfOverflow = 0x477ff000U;
constexpr std::uint32_t kHalfMinNormal = 0x38800000U;
// What the exponent biases of float and binary16 differ by, in place.
constexpr std::uint32_t kRebias = (127U - 15U) << 23;

inline std::uint32_t ToBits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float ToFloat(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// bits / 2^shift, rounded to the nearest integer, ties to even; 0 < shift < 32.
inline std::uint32_t ShiftRounded(std::uint32_t bits, std::uint32_t shift) {
  const std::uint32_t below_half = (1U << (shift - 1U)) - 1U;
  return (bits + below_half + ((bits >> shift) & 1U)) >> shift;
}

// `magnitude` are the bits of a finite or infinite float without sign.
inline std::uint32_t HalfMagnitude(std::uint32_t magnitude) {
  if (magnitude >= kHalfOverflow) {
    return 0x7c00U;
  }
  if (magnitude >= kHalfMinNormal) {
    return ShiftRounded(magnitude - kRebias, 13U);
  }
  const std::uint32_t shift = 126U - (magnitude >> 23);
  return shift > 24U
             ? 0U
             : ShiftRounded((magnitude & kMantissa) | kImplicitBit, shift);
}

}  // namespace float16_detail

inline Float16 Float16::FromFloat(float value) {
  const std::uint32_t bits = float16_detail::ToBits(value);
  const std::uint32_t sign = (bits & float16_detail::kSign) >> 16;
  const std::uint32_t magnitude = bits & ~float16_detail::kSign;
  const std::uint32_t half = magnitude > float16_detail::kInfinity
                                 ? 0x7e00U | ((magnitude >> 13) & 0x3ffU)
                                 : float16_detail::HalfMagnitude(magnitude);
  return {static_cast<std::uint16_t>(sign | half)};
}

inline float Float16::ToFloat() const {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) {
    return float16_detail::ToFloat(sign | float16_detail::kInfinity |
                                   ((magnitude & 0x3ffU) << 13));
  }
  if (magnitude >= 0x0400U) {
    return float16_detail::ToFloat(
        sign | ((magnitude << 13) + float16_detail::kRebias));
  }
  const float absolute = static_cast<float>(magnitude) * 0x1p-24F;
  return float16_detail::ToFloat(sign | float16_detail::ToBits(absolute));
}

inline BFloat16 BFloat16::FromFloat(float value) {
  const std::uint32_t bits = float16_detail::ToBits(value);
  const bool is_nan =
      (bits & ~float16_detail::kSign) > float16_detail::kInfinity;
  const std::uint32_t upper =
      is_nan ? (bits >> 16) | 0x0040U
             : (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>(upper)};
}

inline float BFloat16::ToFloat() const {
  return float16_detail::ToFloat(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace infini::rt
