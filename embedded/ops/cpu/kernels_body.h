// The kernels of one target. Included once per target by kernels_<target>.cpp,
// which defines INFINI_TARGET; it has no include guard on purpose and includes
// nothing that defines functions except half.h, whose functions are always
// inlined.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "half.h"
#include "kernels.h"

namespace infini::ops::cpu::INFINI_TARGET {

namespace {

using std::ptrdiff_t;
using std::size_t;

template <class T>
struct Element {
  using Compute = T;

  static Compute load(T value) { return value; }

  static T store(Compute value) { return value; }
};

template <>
struct Element<Half> {
  using Compute = float;

  static float load(Half value) {
#if defined(__F16C__)
    return _cvtsh_ss(value.bits);
#else
    return half_to_float(value);
#endif
  }

  static Half store(float value) {
#if defined(__F16C__)
    return {static_cast<std::uint16_t>(
        _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT))};
#else
    return float_to_half(value);
#endif
  }
};

template <>
struct Element<BFloat> {
  using Compute = float;

  static float load(BFloat value) { return bfloat_to_float(value); }

  static BFloat store(float value) { return float_to_bfloat(value); }
};

struct Sum {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};

// Products of small unsigned integers would be computed in int and could
// overflow.
struct Product {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 2) {
      return static_cast<T>(static_cast<unsigned>(a) *
                            static_cast<unsigned>(b));
    } else {
      return static_cast<T>(a * b);
    }
  }
};

template <class Op, class T>
T combine(T a, T b) {
  return Element<T>::store(Op::apply(Element<T>::load(a), Element<T>::load(b)));
}

// Handles as many leading elements as it can several at a time and returns how
// many; `kScalar` means that b is one value for the whole row.
template <class Op, class T, bool kScalar>
struct Vectors {
  static size_t run(T* /*out*/,
                    const T* /*a*/,
                    const T* /*b*/,
                    size_t /*count*/) {
    return 0;
  }
};

#if defined(__AVX512F__)

inline __m512 load_wide(const Half* from) {
  return _mm512_cvtph_ps(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

inline void store_wide(Half* to, __m512 value) {
  _mm256_storeu_si256(
      reinterpret_cast<__m256i*>(to),
      _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline __m512 load_wide(const BFloat* from) {
  const __m256i bits =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm512_castsi512_ps(
      _mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

inline void store_wide(BFloat* to, __m512 value) {
  const __m512i bits = _mm512_castps_si512(value);
  const __m512i odd =
      _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i bias = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
  const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, bias), 16);
  const __mmask16 nan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
  const __m512i result =
      _mm512_mask_mov_epi32(rounded, nan, _mm512_set1_epi32(0x7fc0));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_cvtepi32_epi16(result));
}

using Wide = __m512;
inline constexpr size_t kWide = 16;
#define INFINI_WIDE 1

#elif defined(__AVX2__) && defined(__F16C__)

inline __m256 load_wide(const Half* from) {
  return _mm256_cvtph_ps(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

inline void store_wide(Half* to, __m256 value) {
  _mm_storeu_si128(
      reinterpret_cast<__m128i*>(to),
      _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline __m256 load_wide(const BFloat* from) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

inline void store_wide(BFloat* to, __m256 value) {
  const __m256i bits = _mm256_castps_si256(value);
  const __m256i odd =
      _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i bias = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
  const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, bias), 16);
  const __m256i nan =
      _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
  const __m256i result =
      _mm256_blendv_epi8(rounded, _mm256_set1_epi32(0x7fc0), nan);
  const __m256i packed = _mm256_packus_epi32(result, result);
  const __m256i joined = _mm256_permute4x64_epi64(packed, 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_castsi256_si128(joined));
}

using Wide = __m256;
inline constexpr size_t kWide = 8;
#define INFINI_WIDE 1

#endif

#if defined(INFINI_WIDE)

template <class Op>
Wide apply_wide(Wide a, Wide b) {
  if constexpr (__is_same(Op, Sum)) {
    return a + b;
  } else {
    return a * b;
  }
}

template <class Op, class T, bool kScalar>
size_t run_16_bit(T* out, const T* a, const T* b, size_t count) {
  const float scalar = kScalar ? Element<T>::load(*b) : 0.0F;
  const Wide all = Wide{} + scalar;
  size_t i = 0;
  for (; i + kWide <= count; i += kWide) {
    store_wide(
        out + i,
        apply_wide<Op>(load_wide(a + i), kScalar ? all : load_wide(b + i)));
  }
  return i;
}

template <class Op, bool kScalar>
struct Vectors<Op, Half, kScalar> {
  static size_t run(Half* out, const Half* a, const Half* b, size_t count) {
    return run_16_bit<Op, Half, kScalar>(out, a, b, count);
  }
};

template <class Op, bool kScalar>
struct Vectors<Op, BFloat, kScalar> {
  static size_t run(BFloat* out,
                    const BFloat* a,
                    const BFloat* b,
                    size_t count) {
    return run_16_bit<Op, BFloat, kScalar>(out, a, b, count);
  }
};

#endif

template <class Op, class T>
void row(T* out, const T* a, const T* b, size_t count) {
  const size_t done = Vectors<Op, T, false>::run(out, a, b, count);
#pragma GCC ivdep
  for (size_t i = done; i < count; ++i) {
    out[i] = combine<Op>(a[i], b[i]);
  }
}

template <class Op, class T>
void row_scalar(T* out, const T* a, const T* b, size_t count) {
  const T scalar = *b;
  const size_t done = Vectors<Op, T, true>::run(out, a, b, count);
#pragma GCC ivdep
  for (size_t i = done; i < count; ++i) {
    out[i] = combine<Op>(a[i], scalar);
  }
}

template <class T>
const T& at(const char* base, ptrdiff_t offset) {
  return *reinterpret_cast<const T*>(base + offset);
}

template <class T>
T& at(char* base, ptrdiff_t offset) {
  return *reinterpret_cast<T*>(base + offset);
}

template <class Op, class T>
void row_strided(char* out,
                 ptrdiff_t so,
                 const char* a,
                 ptrdiff_t sa,
                 const char* b,
                 ptrdiff_t sb,
                 size_t count) {
  ptrdiff_t i = 0;
  const auto end = static_cast<ptrdiff_t>(count);
  for (; i + 4 <= end; i += 4) {
    const T r0 = combine<Op>(at<T>(a, i * sa), at<T>(b, i * sb));
    const T r1 = combine<Op>(at<T>(a, (i + 1) * sa), at<T>(b, (i + 1) * sb));
    const T r2 = combine<Op>(at<T>(a, (i + 2) * sa), at<T>(b, (i + 2) * sb));
    const T r3 = combine<Op>(at<T>(a, (i + 3) * sa), at<T>(b, (i + 3) * sb));
    at<T>(out, i * so) = r0;
    at<T>(out, (i + 1) * so) = r1;
    at<T>(out, (i + 2) * so) = r2;
    at<T>(out, (i + 3) * so) = r3;
  }
  for (; i < end; ++i) {
    at<T>(out, i * so) = combine<Op>(at<T>(a, i * sa), at<T>(b, i * sb));
  }
}

template <class Op, class T>
void binary(const BinaryBlock& block) {
  constexpr ptrdiff_t kUnit = sizeof(T);
  const size_t count = block.size[0];
  char* out = block.out;
  const char* a = block.a;
  const char* b = block.b;
  ptrdiff_t a0 = block.a_stride[0];
  ptrdiff_t b0 = block.b_stride[0];
  ptrdiff_t a1 = block.a_stride[1];
  ptrdiff_t b1 = block.b_stride[1];
  if (a0 == 0 && b0 == kUnit) {  // both operations are commutative
    const char* swapped = a;
    a = b;
    b = swapped;
    const ptrdiff_t outer = a1;
    a1 = b1;
    b1 = outer;
    a0 = kUnit;
    b0 = 0;
  }
  const bool dense = block.out_stride[0] == kUnit && a0 == kUnit;
  for (size_t j = 0; j < block.size[1]; ++j) {
    if (dense && b0 == kUnit) {
      row<Op>(&at<T>(out, 0), &at<T>(a, 0), &at<T>(b, 0), count);
    } else if (dense && b0 == 0) {
      row_scalar<Op>(&at<T>(out, 0), &at<T>(a, 0), &at<T>(b, 0), count);
    } else {
      row_strided<Op, T>(out, block.out_stride[0], a, a0, b, b0, count);
    }
    out += block.out_stride[1];
    a += a1;
    b += b1;
  }
}

#include "kernels_cast.h"

}  // namespace

#define INFINI_BINARY(op)     \
  {binary<op, std::uint8_t>,  \
   binary<op, std::uint16_t>, \
   binary<op, std::uint32_t>, \
   binary<op, std::uint64_t>, \
   binary<op, std::uint8_t>,  \
   binary<op, std::uint16_t>, \
   binary<op, std::uint32_t>, \
   binary<op, std::uint64_t>, \
   binary<op, Half>,          \
   binary<op, BFloat>,        \
   binary<op, float>,         \
   binary<op, double>}

#define INFINI_CAST(from)        \
  {convert<from, std::int8_t>,   \
   convert<from, std::int16_t>,  \
   convert<from, std::int32_t>,  \
   convert<from, std::int64_t>,  \
   convert<from, std::uint8_t>,  \
   convert<from, std::uint16_t>, \
   convert<from, std::uint32_t>, \
   convert<from, std::uint64_t>, \
   convert<from, Half>,          \
   convert<from, BFloat>,        \
   convert<from, float>,         \
   convert<from, double>}

extern const Kernels kKernels;

const Kernels kKernels = {
    INFINI_TARGET_NAME,
    INFINI_BINARY(Sum),
    INFINI_BINARY(Product),
    {INFINI_CAST(std::int8_t),
     INFINI_CAST(std::int16_t),
     INFINI_CAST(std::int32_t),
     INFINI_CAST(std::int64_t),
     INFINI_CAST(std::uint8_t),
     INFINI_CAST(std::uint16_t),
     INFINI_CAST(std::uint32_t),
     INFINI_CAST(std::uint64_t),
     INFINI_CAST(Half),
     INFINI_CAST(BFloat),
     INFINI_CAST(float),
     INFINI_CAST(double)},
    {convert<std::uint8_t, std::uint8_t>,
     convert<std::uint16_t, std::uint16_t>,
     convert<std::uint32_t, std::uint32_t>,
     convert<std::uint64_t, std::uint64_t>},
};

#undef INFINI_BINARY
#undef INFINI_CAST
#undef INFINI_WIDE

}  // namespace infini::ops::cpu::INFINI_TARGET
