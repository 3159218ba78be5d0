// Lists of compile-time values, and tags that carry a type or a value through
// function arguments.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <infini/rt/detail/export.h>

namespace infini::rt {

template <auto... values>
struct INFINI_API List {};

template <typename... Ts>
struct INFINI_API TypePack {};

// Carries a type: `typename decltype(tag)::type`.
template <typename T>
struct INFINI_API TypeTag {
  using type = T;
};

// Carries a value: `decltype(tag)::value`.
template <auto v>
struct INFINI_API ValueTag {
  using value_type = decltype(v);

  static constexpr auto value = v;
};

// The value at position `index`, which must be below the length of the list.
template <std::size_t index, auto head, auto... tail>
constexpr auto ListGet(List<head, tail...>) {
  if constexpr (index == 0) {
    return head;
  } else {
    return ListGet<index - 1>(List<tail...>{});
  }
}

template <typename L, auto value>
struct Contains;

template <auto value, auto... values>
struct Contains<List<values...>, value>
    : std::bool_constant<((values == value) || ...)> {};

template <typename L, auto value>
inline constexpr bool ContainsValue = Contains<L, value>::value;

template <typename T, typename... Ts>
inline constexpr bool IsTypeInList = std::disjunction_v<std::is_same<T, Ts>...>;

template <typename T>
struct IsListType : std::false_type {};

template <auto... values>
struct IsListType<List<values...>> : std::true_type {};

template <typename Left, typename Right>
struct Concat;

template <auto... left, auto... right>
struct Concat<List<left...>, List<right...>> {
  using type = List<left..., right...>;
};

template <typename Left, typename Right>
using ConcatType = typename Concat<Left, Right>::type;

// `Flatten<Lists...>::type` is the concatenation of one or more lists.
template <typename First, typename... Rest>
struct Flatten {
  using type = ConcatType<First, typename Flatten<Rest...>::type>;
};

template <typename Last>
struct Flatten<Last> {
  using type = Last;
};

// Whether `functor(ValueTag<value>{}, args...)` compiles.
template <typename Functor, auto value, typename = void, typename... Args>
struct IsInvocable : std::is_invocable<Functor, ValueTag<value>, Args...> {};

template <typename Functor, auto value, typename... Args>
inline constexpr bool IsInvocableValue =
    IsInvocable<Functor, value, void, Args...>::value;

// `Filter<Functor, std::tuple<Args...>, Kept, candidates...>::type` is `Kept`
// followed by each candidate that the functor accepts and that is not there
// yet, in order.
template <typename Functor,
          typename Arguments,
          typename Kept,
          auto... candidates>
struct Filter {
  using type = Kept;
};

template <typename Functor,
          typename... Args,
          auto... kept,
          auto head,
          auto... tail>
struct Filter<Functor, std::tuple<Args...>, List<kept...>, head, tail...> {
 private:
  static constexpr bool kTake = IsInvocableValue<Functor, head, Args...> &&
                                !ContainsValue<List<kept...>, head>;
  using Next = std::conditional_t<kTake, List<kept..., head>, List<kept...>>;

 public:
  using type =
      typename Filter<Functor, std::tuple<Args...>, Next, tail...>::type;
};

template <typename Functor, typename Arguments, typename L>
struct FilterList;

template <typename Functor, typename Arguments, auto... values>
struct FilterList<Functor, Arguments, List<values...>> {
  using type = typename Filter<Functor, Arguments, List<>, values...>::type;
};

}  // namespace infini::rt
