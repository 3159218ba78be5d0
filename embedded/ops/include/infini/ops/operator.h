// The entry point of every operator.
//
// `Operator<Key>::Call` is declared here and instantiated in libinfiniops for
// the argument lists that operators.h names. Arguments are deduced, so they
// must have exactly those types: `Tensor`, `std::optional<float>`, `bool`, ...
// A `1.0f` where `std::optional<float>` is listed compiles and then fails to
// link.
//
// Calls are thread-safe as long as no two of them write the same memory. A call
// runs in the calling thread, uses at most the number of OpenMP threads that
// this thread is allowed, and has finished when it returns. Nothing is kept
// between calls.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <infini/ops/config.h>
#include <infini/ops/handle.h>
#include <infini/ops/visibility.h>
#include <infini/rt.h>

namespace infini::ops {

using Device = rt::Device;
using DataType = rt::DataType;
using Tensor = rt::TensorView;

namespace detail {

template <class T, class = void>
struct IsTensorLike : std::false_type {};

template <class T>
struct IsTensorLike<T,
                    std::void_t<decltype(std::declval<const T&>().data()),
                                decltype(std::declval<const T&>().shape()),
                                decltype(std::declval<const T&>().strides()),
                                decltype(std::declval<const T&>().dtype()),
                                decltype(std::declval<const T&>().device())>>
    : std::true_type {};

template <class Key, class First, class Rest, class = void>
struct MakesReturnValue : std::false_type {};

template <class Key, class First, class... Rest>
struct MakesReturnValue<
    Key,
    First,
    std::tuple<Rest...>,
    std::enable_if_t<
        IsTensorLike<First>::value && !std::is_same_v<First, Tensor>,
        std::void_t<decltype(Key::MakeReturnValue(
            std::declval<const First&>(), std::declval<const Rest&>()...))>>>
    : std::true_type {};

template <class T>
decltype(auto) AsCallArgument(const T& argument) {
  if constexpr (IsTensorLike<T>::value) {
    return Tensor(argument);
  } else {
    return (argument);
  }
}

}  // namespace detail

template <class Key,
          Device::Type kDevice = Device::Type::kCount,
          std::size_t kImplementation = 0>
class Operator {
 public:
  // Throws `Error` for arguments that the operator does not support, and
  // std::bad_alloc.
  template <class... Args>
  static void Call(const Handle& handle,
                   const Config& config,
                   const Args&... args);

  // The same with a default handle and configuration.
  template <class... Args>
  static void Call(const Tensor tensor, const Args&... args) {
    Call(Handle(), Config(), tensor, args...);
  }

  // For a tensor class of the caller's that has a static `Empty(shape, dtype,
  // device)`: makes the output, computes it and returns it.
  template <
      class TensorLike,
      class... Args,
      std::enable_if_t<
          detail::MakesReturnValue<Key, TensorLike, std::tuple<Args...>>::value,
          int> = 0>
  static auto Call(const TensorLike& tensor, const Args&... args) {
    auto out = Key::MakeReturnValue(tensor, args...);
    Call(Handle(),
         Config(),
         detail::AsCallArgument(tensor),
         detail::AsCallArgument(args)...,
         detail::AsCallArgument(out));
    return out;
  }

  // There is no cache; kept so that callers of upstream's function compile.
  static void clear_cache() {}

  static std::vector<std::size_t> active_implementation_indices(
      Device::Type device_type) {
    if (device_type == Device::Type::kCpu) {
      return {0};
    }
    return {};
  }
};

}  // namespace infini::ops
