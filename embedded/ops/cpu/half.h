// Conversions between float and the two 16-bit formats, rounding to nearest
// even.
//
// Bit for bit what the F16C instructions give, NaN payloads included; a
// bfloat16 NaN becomes the canonical 0x7fc0. Always inlined, so that each
// target of the kernels has code of its own.
#pragma once

#include <cstdint>

namespace infini::ops::cpu {

struct Half {
  std::uint16_t bits;
};

struct BFloat {
  std::uint16_t bits;
};

[[gnu::always_inline]] inline float half_to_float(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U)
                             << 16;
  const std::uint32_t magnitude = half.bits & 0x7fffU;
  if (magnitude >= 0x7c00U) {
    const std::uint32_t quiet = magnitude > 0x7c00U ? 0x00400000U : 0U;
    return __builtin_bit_cast(
        float, sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13) | quiet);
  }
  // The exponent is moved up by 112 by a multiplication, which normalises
  // subnormals as well.
  const float scaled = __builtin_bit_cast(float, magnitude << 13) * 0x1p112F;
  return __builtin_bit_cast(float,
                            __builtin_bit_cast(std::uint32_t, scaled) | sign);
}

[[gnu::always_inline]] inline Half float_to_half(float value) {
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) {
    result = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  } else if (magnitude >= 0x477ff000U) {
    result = 0x7c00U;
  } else if (magnitude >= 0x38800000U) {
    result =
        (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  } else {
    // Adding 0.5 aligns the last bit of a subnormal half with the last bit of
    // the sum.
    const float sum = __builtin_bit_cast(float, magnitude) + 0.5F;
    result = __builtin_bit_cast(std::uint32_t, sum) - 0x3f000000U;
  }
  return {static_cast<std::uint16_t>(sign | result)};
}

[[gnu::always_inline]] inline float bfloat_to_float(BFloat value) {
  return __builtin_bit_cast(float,
                            static_cast<std::uint32_t>(value.bits) << 16);
}

[[gnu::always_inline]] inline BFloat float_to_bfloat(float value) {
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>(
      (bits & 0x7fffffffU) > 0x7f800000U ? 0x7fc0U : rounded)};
}

}  // namespace infini::ops::cpu
