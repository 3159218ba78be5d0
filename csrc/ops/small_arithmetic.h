// Arithmetic that every correct implementation agrees on to the last bit.
//
// The square root is not among them: the library that PyTorch's CPU kernel
// calls does not round it correctly below the smallest normal number.
//
// T is float, double, std::int64_t or std::int32_t. `kIntegers` says whether
// the operator keeps integers what they are.
#pragma once

#include <cmath>
#include <functional>
#include <type_traits>

namespace torch_infini::small {

// Signed integers wrap around.
template <class T, class Function>
T wrapping(Function function, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(function(static_cast<U>(a), static_cast<U>(b)));
  } else {
    return function(a, b);
  }
}

struct Add {
  static constexpr const char* kName = "aten::add";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a, T b) {
    return wrapping([](auto x, auto y) { return x + y; }, a, b);
  }
};

struct Sub {
  static constexpr const char* kName = "aten::sub";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a, T b) {
    return wrapping([](auto x, auto y) { return x - y; }, a, b);
  }
};

struct Mul {
  static constexpr const char* kName = "aten::mul";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a, T b) {
    return wrapping([](auto x, auto y) { return x * y; }, a, b);
  }
};

struct Div {
  static constexpr const char* kName = "aten::div";
  static constexpr bool kIntegers = false;  // of integers it is a float

  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};

inline constexpr char kEq[] = "aten::eq";
inline constexpr char kNe[] = "aten::ne";
inline constexpr char kLt[] = "aten::lt";
inline constexpr char kLe[] = "aten::le";
inline constexpr char kGt[] = "aten::gt";
inline constexpr char kGe[] = "aten::ge";

template <class Compare, const char* Name>
struct Comparison {
  static constexpr const char* kName = Name;
  static constexpr bool kIntegers = true;

  template <class T>
  static bool of(T a, T b) {
    return Compare()(a, b);
  }
};

struct Neg {
  static constexpr const char* kName = "aten::neg";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a) {
    return wrapping([](auto x, auto /*y*/) { return -x; }, a, a);
  }
};

struct Abs {
  static constexpr const char* kName = "aten::abs";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a) {
    if constexpr (std::is_integral_v<T>) {
      return a < 0 ? Neg::of(a) : a;
    } else {
      return std::abs(a);
    }
  }
};

struct Relu {
  static constexpr const char* kName = "aten::relu";
  static constexpr bool kIntegers = true;

  template <class T>
  static T of(T a) {
    return a < T(0) ? T(0) : a;  // keeps NaN and -0.0
  }
};

using Eq = Comparison<std::equal_to<>, kEq>;
using Ne = Comparison<std::not_equal_to<>, kNe>;
using Lt = Comparison<std::less<>, kLt>;
using Le = Comparison<std::less_equal<>, kLe>;
using Gt = Comparison<std::greater<>, kGt>;
using Ge = Comparison<std::greater_equal<>, kGe>;

}  // namespace torch_infini::small
