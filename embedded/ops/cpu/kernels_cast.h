// Conversions between the twelve dtypes. Part of kernels_body.h, inside its
// namespace.

template <class T>
inline constexpr bool kIsFloat = false;
template <>
inline constexpr bool kIsFloat<Half> = true;
template <>
inline constexpr bool kIsFloat<BFloat> = true;
template <>
inline constexpr bool kIsFloat<float> = true;
template <>
inline constexpr bool kIsFloat<double> = true;

template <class T>
inline constexpr bool kIs16BitFloat =
    __is_same(T, Half) || __is_same(T, BFloat);

// What the processor's conversion instruction gives, without undefined
// behaviour for values that do not fit: the smallest integer.
template <class Float>
std::int32_t to_int32(Float value) {
  constexpr auto kLimit = static_cast<Float>(0x1p31);
  const bool fits = value > -kLimit - 1 && value < kLimit;
  const auto converted = static_cast<std::int32_t>(fits ? value : Float{0});
  return fits ? converted : INT32_MIN;
}

template <class Float>
std::int64_t to_int64(Float value) {
  constexpr auto kLimit = static_cast<Float>(0x1p63);
  const bool fits = value >= -kLimit && value < kLimit;
  const auto converted = static_cast<std::int64_t>(fits ? value : Float{0});
  return fits ? converted : INT64_MIN;
}

template <class To, class Float>
To float_to_integer(Float value) {
  if constexpr (__is_same(To, std::uint64_t)) {
    constexpr auto kLimit = static_cast<Float>(0x1p63);
    if (value >= kLimit) {
      return static_cast<std::uint64_t>(to_int64(value - kLimit)) ^
             (1ULL << 63);
    }
    return static_cast<std::uint64_t>(to_int64(value));
  } else if constexpr (sizeof(To) == 8 || __is_same(To, std::uint32_t)) {
    return static_cast<To>(to_int64(value));
  } else {
    return static_cast<To>(to_int32(value));
  }
}

template <class To, class From>
To convert_one(From from) {
  if constexpr (__is_same(From, To)) {
    return from;
  } else if constexpr (kIs16BitFloat<To>) {
    return Element<To>::store(static_cast<float>(Element<From>::load(from)));
  } else if constexpr (kIsFloat<From> && !kIsFloat<To>) {
    return float_to_integer<To>(Element<From>::load(from));
  } else {
    return static_cast<To>(Element<From>::load(from));
  }
}

template <class From, class To>
void convert_row(const From* in, To* out, size_t count) {
  size_t i = 0;
#if defined(__AVX512F__)
  if constexpr (kIs16BitFloat<From> && __is_same(To, float)) {
    for (; i + kWide <= count; i += kWide) {
      _mm512_storeu_ps(out + i, load_wide(in + i));
    }
  } else if constexpr (__is_same(From, float) && kIs16BitFloat<To>) {
    for (; i + kWide <= count; i += kWide) {
      store_wide(out + i, _mm512_loadu_ps(in + i));
    }
  }
#elif defined(__AVX2__) && defined(__F16C__)
  if constexpr (kIs16BitFloat<From> && __is_same(To, float)) {
    for (; i + kWide <= count; i += kWide) {
      _mm256_storeu_ps(out + i, load_wide(in + i));
    }
  } else if constexpr (__is_same(From, float) && kIs16BitFloat<To>) {
    for (; i + kWide <= count; i += kWide) {
      store_wide(out + i, _mm256_loadu_ps(in + i));
    }
  }
#endif
#pragma GCC ivdep
  for (; i < count; ++i) {
    out[i] = convert_one<To>(in[i]);
  }
}

template <class From, class To>
void convert_strided(const UnaryBlock& block, const char* in, char* out) {
  const auto end = static_cast<ptrdiff_t>(block.size[0]);
  const ptrdiff_t in_step = block.in_stride[0];
  const ptrdiff_t out_step = block.out_stride[0];
  for (ptrdiff_t i = 0; i < end; ++i) {
    at<To>(out, i * out_step) = convert_one<To>(at<From>(in, i * in_step));
  }
}

template <class From, class To>
void convert(const UnaryBlock& block) {
  const bool dense =
      block.in_stride[0] == sizeof(From) && block.out_stride[0] == sizeof(To);
  const char* in = block.in;
  char* out = block.out;
  for (size_t j = 0; j < block.size[1]; ++j) {
    if (!dense) {
      convert_strided<From, To>(block, in, out);
    } else if constexpr (__is_same(From, To)) {
      __builtin_memmove(out, in, block.size[0] * sizeof(From));
    } else {
      convert_row(&at<From>(in, 0), &at<To>(out, 0), block.size[0]);
    }
    in += block.in_stride[1];
    out += block.out_stride[1];
  }
}
