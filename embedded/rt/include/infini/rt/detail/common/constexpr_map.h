// A small constant map, searched linearly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <infini/rt/detail/export.h>

namespace infini::rt {

template <typename Key, typename Value, std::size_t size>
struct INFINI_API ConstexprMap {
  // NOLINTNEXTLINE(google-explicit-constructor): implicit upstream.
  constexpr ConstexprMap(std::array<std::pair<Key, Value>, size> data)
      : data_{data} {}

  // The value of `key`. Aborts when the map has no such key; not a constant
  // expression then.
  constexpr Value at(Key key) const {
    for (std::size_t i = 0; i < size; ++i) {
      if (data_[i].first == key) {
        return data_[i].second;
      }
    }
    std::abort();
  }

 private:
  std::array<std::pair<Key, Value>, size> data_;
};

}  // namespace infini::rt
