// Tensors that own their memory, with arbitrary strides, and element access
// through long double (floats) or 64-bit integers: the slow and obvious way,
// for references.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <infini/ops.h>
#include <infini/rt.h>

namespace infini::ops::test {

inline constexpr DataType kAllTypes[] = {DataType::kInt8,
                                         DataType::kInt16,
                                         DataType::kInt32,
                                         DataType::kInt64,
                                         DataType::kUInt8,
                                         DataType::kUInt16,
                                         DataType::kUInt32,
                                         DataType::kUInt64,
                                         DataType::kFloat16,
                                         DataType::kBFloat16,
                                         DataType::kFloat32,
                                         DataType::kFloat64};
inline constexpr DataType kFloatTypes[] = {DataType::kFloat16,
                                           DataType::kBFloat16,
                                           DataType::kFloat32,
                                           DataType::kFloat64};

inline bool is_float(DataType dtype) {
  return static_cast<int>(dtype) >= 8;
}

inline std::size_t size_of(DataType dtype) {
  switch (dtype) {
    case DataType::kInt8:
    case DataType::kUInt8:
      return 1;
    case DataType::kInt16:
    case DataType::kUInt16:
    case DataType::kFloat16:
    case DataType::kBFloat16:
      return 2;
    case DataType::kInt32:
    case DataType::kUInt32:
    case DataType::kFloat32:
      return 4;
    default:
      return 8;
  }
}

// Digits of the significand and the smallest exponent of a float type.
struct Precision {
  int digits;
  int lowest;
};

inline Precision precision_of(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return {11, -14};
    case DataType::kBFloat16:
      return {8, -126};
    case DataType::kFloat32:
      return {24, -126};
    default:
      return {53, -1022};
  }
}

// The distance of neighbouring values of the type around `value`.
inline long double ulp(DataType dtype, long double value) {
  const Precision precision = precision_of(dtype);
  const int exponent = value == 0 ? precision.lowest : std::ilogb(value);
  return std::ldexp(
      1.0L, std::max(exponent, precision.lowest) - precision.digits + 1);
}

// A 16-bit pattern as a number, by the definition of the format.
inline long double decode_16(DataType dtype, std::uint16_t bits) {
  const int fraction_bits = dtype == DataType::kFloat16 ? 10 : 7;
  const int bias = dtype == DataType::kFloat16 ? 15 : 127;
  const int exponent = (bits & 0x7fff) >> fraction_bits;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const long double sign = (bits & 0x8000) != 0 ? -1.0L : 1.0L;
  if (exponent == 2 * bias + 1) {
    return fraction != 0 ? std::nanl("") : sign * INFINITY;
  }
  if (exponent == 0) {
    return sign * std::ldexp(static_cast<long double>(fraction),
                             1 - bias - fraction_bits);
  }
  return sign * std::ldexp(1.0L + std::ldexp(static_cast<long double>(fraction),
                                             -fraction_bits),
                           exponent - bias);
}

// The pattern nearest to a value, ties to even.
inline std::uint16_t encode_16(DataType dtype, long double value) {
  const Precision precision = precision_of(dtype);
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = dtype == DataType::kFloat16 ? 0x7c00 : 0x7f80;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(infinity | 0x40 | 0x200);
  }
  if (value == 0 || std::isinf(value)) {
    return static_cast<std::uint16_t>(sign | (value == 0 ? 0 : infinity));
  }
  const long double magnitude = std::fabs(value);
  const int exponent = std::max(std::ilogb(magnitude), precision.lowest);
  if (exponent > 200) {
    return static_cast<std::uint16_t>(sign | infinity);
  }
  // In units of the last place; nearbyint rounds ties to even.
  const int scaled = static_cast<int>(
      std::nearbyint(std::ldexp(magnitude, precision.digits - 1 - exponent)));
  const int bits =
      ((exponent - precision.lowest) << (precision.digits - 1)) + scaled;
  return static_cast<std::uint16_t>(sign | std::min(bits, infinity));
}

class TestTensor {
 public:
  // `lead` elements lie before and after the tensor's and are checked by
  // `is_intact`.
  TestTensor(DataType dtype,
             const Tensor::Shape& shape,
             const Tensor::Strides& strides,
             std::size_t lead = 16)
      : dtype_(dtype), shape_(shape), strides_(strides) {
    std::ptrdiff_t low = 0;
    std::ptrdiff_t high = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::ptrdiff_t reach =
          shape[d] == 0
              ? 0
              : strides[d] * static_cast<std::ptrdiff_t>(shape[d] - 1);
      (reach < 0 ? low : high) += reach;
    }
    const auto margin = static_cast<std::ptrdiff_t>(lead);
    memory_.assign(
        static_cast<std::size_t>(high - low + 1 + 2 * margin) * size_of(dtype),
        kFill);
    offset_ = margin - low;
  }

  explicit TestTensor(DataType dtype, const Tensor::Shape& shape)
      : TestTensor(dtype, shape, row_major(shape)) {}

  static Tensor::Strides row_major(const Tensor::Shape& shape) {
    Tensor::Strides strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) {
      strides[d - 1] = strides[d] * static_cast<std::ptrdiff_t>(shape[d]);
    }
    return strides;
  }

  char* data() {
    return memory_.data() +
           offset_ * static_cast<std::ptrdiff_t>(size_of(dtype_));
  }

  Tensor view() { return {data(), shape_, dtype_, Device(), strides_}; }

  // The same memory as another shape.
  Tensor view(const Tensor::Shape& shape, const Tensor::Strides& strides) {
    return {data(), shape, dtype_, Device(), strides};
  }

  DataType dtype() const { return dtype_; }

  const Tensor::Shape& shape() const { return shape_; }

  std::size_t numel() const {
    std::size_t count = 1;
    for (const std::size_t size : shape_) {
      count *= size;
    }
    return count;
  }

  // The address of an element by row-major number; sizes of 1 in `this`
  // broadcast to `shape`.
  char* at(std::size_t number, const Tensor::Shape& shape) {
    std::ptrdiff_t offset = 0;
    const std::size_t missing = shape.size() - shape_.size();
    for (std::size_t d = shape.size(); d-- > 0;) {
      const std::size_t index = number % shape[d];
      number /= shape[d];
      if (d >= missing && shape_[d - missing] != 1) {
        offset += static_cast<std::ptrdiff_t>(index) * strides_[d - missing];
      }
    }
    return data() + offset * static_cast<std::ptrdiff_t>(size_of(dtype_));
  }

  char* at(std::size_t number) { return at(number, shape_); }

  std::uint64_t bits(std::size_t number, const Tensor::Shape& shape) {
    std::uint64_t value = 0;
    std::memcpy(&value, at(number, shape), size_of(dtype_));
    return value;
  }

  std::uint64_t bits(std::size_t number) { return bits(number, shape_); }

  void set_bits(std::size_t number, std::uint64_t value) {
    std::memcpy(at(number), &value, size_of(dtype_));
  }

  long double value(std::size_t number, const Tensor::Shape& shape) {
    return decode(dtype_, bits(number, shape));
  }

  long double value(std::size_t number) { return value(number, shape_); }

  void set_value(std::size_t number, long double value) {
    set_bits(number, encode(dtype_, value));
  }

  static long double decode(DataType dtype, std::uint64_t bits) {
    switch (dtype) {
      case DataType::kFloat32: {
        float value = 0;
        std::memcpy(&value, &bits, sizeof(value));
        return value;
      }
      case DataType::kFloat64: {
        double value = 0;
        std::memcpy(&value, &bits, sizeof(value));
        return value;
      }
      case DataType::kFloat16:
      case DataType::kBFloat16:
        return decode_16(dtype, static_cast<std::uint16_t>(bits));
      default: {
        const int shift = 64 - 8 * static_cast<int>(size_of(dtype));
        const bool is_signed = static_cast<int>(dtype) < 4;
        return is_signed
                   ? static_cast<long double>(
                         static_cast<std::int64_t>(bits << shift) >> shift)
                   : static_cast<long double>(bits);
      }
    }
  }

  static std::uint64_t encode(DataType dtype, long double value) {
    std::uint64_t bits = 0;
    switch (dtype) {
      case DataType::kFloat32: {
        const auto narrow = static_cast<float>(value);
        std::memcpy(&bits, &narrow, sizeof(narrow));
        return bits;
      }
      case DataType::kFloat64: {
        const auto narrow = static_cast<double>(value);
        std::memcpy(&bits, &narrow, sizeof(narrow));
        return bits;
      }
      case DataType::kFloat16:
      case DataType::kBFloat16:
        return encode_16(dtype, value);
      default:
        bits =
            value < 0
                ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                : static_cast<std::uint64_t>(value);
        return bits & (~0ULL >> (64 - 8 * size_of(dtype)));
    }
  }

  // Any pattern for integers, numbers of [-4, 4) for floats.
  void fill(std::mt19937_64* random) {
    for (std::size_t i = 0; i < numel(); ++i) {
      if (is_float(dtype_)) {
        set_value(
            i,
            static_cast<long double>(static_cast<std::int64_t>((*random)())) *
                0x1p-61L);
      } else {
        set_bits(i, (*random)());
      }
    }
  }

  // Whether nothing but the tensor's elements has been written since
  // construction.
  bool is_intact() {
    std::vector<char> touched(memory_.size(), 0);
    for (std::size_t i = 0; i < numel(); ++i) {
      std::memset(
          touched.data() + (at(i) - memory_.data()), 1, size_of(dtype_));
    }
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (touched[i] == 0 && memory_[i] != kFill) {
        return false;
      }
    }
    return true;
  }

  bool is_untouched() {
    for (const char byte : memory_) {
      if (byte != kFill) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr char kFill = 0x5a;

  DataType dtype_;
  Tensor::Shape shape_;
  Tensor::Strides strides_;
  std::vector<char> memory_;
  std::ptrdiff_t offset_ = 0;
};

// Strides of a random layout for `shape`: a permutation, gaps, some directions
// reversed and, for inputs, some dimensions broadcast.
inline Tensor::Strides random_strides(const Tensor::Shape& shape,
                                      bool broadcast,
                                      std::mt19937_64* random) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t d = 0; d < order.size(); ++d) {
    order[d] = d;
  }
  std::shuffle(order.begin(), order.end(), *random);
  Tensor::Strides strides(shape.size());
  std::ptrdiff_t next = (*random)() % 3 == 0 ? 2 : 1;
  for (const std::size_t d : order) {
    const bool backwards = (*random)() % 4 == 0;
    strides[d] = backwards ? -next : next;
    next *= static_cast<std::ptrdiff_t>(shape[d] == 0 ? 1 : shape[d]);
    next += (*random)() % 3 == 0 ? 3 : 0;
    if (broadcast && (*random)() % 5 == 0) {
      strides[d] = 0;
    }
  }
  return strides;
}

inline Tensor::Shape random_shape(std::size_t dimensions,
                                  std::size_t most,
                                  std::mt19937_64* random) {
  Tensor::Shape shape(dimensions);
  for (std::size_t& size : shape) {
    size = 1 + (*random)() % most;
  }
  return shape;
}

// The message of the Error that `function` throws, "" where it does not throw
// one.
template <class Function>
std::string error_of(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace infini::ops::test
