// HashCombine mixes the hash of a value into a seed. It is in the global
// namespace, as upstream's.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

template <typename T>
inline void HashCombine(std::size_t& seed, const T& value) {
  const std::size_t hash = std::hash<T>{}(value);
  seed ^= hash + 0x9e3779b9 + (seed << 6) + (seed >> 2);
}

template <typename T>
inline void HashCombine(std::size_t& seed, const std::vector<T>& values) {
  HashCombine(seed, values.size());
  for (const T& value : values) {
    HashCombine(seed, value);
  }
}

template <typename T>
inline void HashCombine(std::size_t& seed, const std::optional<T>& value) {
  HashCombine(seed, value.has_value());
  if (value.has_value()) {
    HashCombine(seed, *value);
  }
}
