#include "opgen/text/hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace opgen::text {

namespace {

// Random odd numbers; four, because with fewer two words could change places.
constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t kThird = 0xA0761D6478BD642FU;
constexpr std::uint64_t kFourth = 0xE7037ED1A0B428DBU;

// The high and the low half of the product, one over the other.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^
         static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  const char* data = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t a = seed ^ kFirst;
  std::uint64_t b = seed + kSecond;
  while (left >= 32) {
    a = mix(a ^ word_at(data), word_at(data + 8) ^ kThird);
    b = mix(b ^ word_at(data + 16), word_at(data + 24) ^ kFourth);
    data += 32;
    left -= 32;
  }
  std::array<char, 32> tail{};
  if (left > 0) {
    std::memcpy(tail.data(), data, left);
  }
  a = mix(a ^ word_at(tail.data()), word_at(tail.data() + 8) ^ kThird);
  b = mix(b ^ word_at(tail.data() + 16), word_at(tail.data() + 24) ^ kFourth);
  return mix(a ^ kThird ^ bytes.size(), b ^ kFourth);
}

}  // namespace opgen::text
