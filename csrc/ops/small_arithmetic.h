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

template <class Compare>
struct Comparison {
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

struct Eq : Comparison<std::equal_to<>> {
  static constexpr const char* kName = "aten::eq";
};

struct Ne : Comparison<std::not_equal_to<>> {
  static constexpr const char* kName = "aten::ne";
};

struct Lt : Comparison<std::less<>> {
  static constexpr const char* kName = "aten::lt";
};

struct Le : Comparison<std::less_equal<>> {
  static constexpr const char* kName = "aten::le";
};

struct Gt : Comparison<std::greater<>> {
  static constexpr const char* kName = "aten::gt";
};

struct Ge : Comparison<std::greater_equal<>> {
  static constexpr const char* kName = "aten::ge";
};

}  // namespace torch_infini::small
