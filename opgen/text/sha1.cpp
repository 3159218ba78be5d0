#include "opgen/text/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "opgen/text/utf8.h"

namespace opgen::text {

namespace {

constexpr std::size_t kBlock = 64;

using State = std::array<std::uint32_t, 5>;

void add_block(State& state, const std::uint8_t* block) {
  std::array<std::uint32_t, 80> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint8_t* bytes = block + 4 * i;
    words[i] = (std::uint32_t{bytes[0]} << 24U) |
               (std::uint32_t{bytes[1]} << 16U) |
               (std::uint32_t{bytes[2]} << 8U) | std::uint32_t{bytes[3]};
  }
  for (std::size_t i = 16; i < 80; ++i) {
    words[i] = std::rotl(
        words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < 80; ++i) {
    std::uint32_t mix = 0;
    if (i < 20) {
      mix = ((b & c) | (~b & d)) + 0x5A827999U;
    } else if (i < 40) {
      mix = (b ^ c ^ d) + 0x6ED9EBA1U;
    } else if (i < 60) {
      mix = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCU;
    } else {
      mix = (b ^ c ^ d) + 0xCA62C1D6U;
    }
    const std::uint32_t next = std::rotl(a, 5) + mix + e + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {
      state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

// False if some character is above U+00FF or the text is not UTF-8.
bool to_latin1(std::string_view text, std::string& out) {
  for (std::size_t pos = 0; pos < text.size();) {
    const CodePoint c = decode_utf8(text, pos);
    if (!c.valid || c.value > 0xFF) {
      return false;
    }
    out += static_cast<char>(c.value);
    pos += c.size;
  }
  return true;
}

}  // namespace

Sha1Digest sha1(std::string_view bytes) {
  std::string padded(bytes);
  padded += '\x80';
  padded.append((2 * kBlock - 8 - padded.size() % kBlock) % kBlock, '\0');
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    padded += static_cast<char>((bits >> (shift - 8)) & 0xFFU);
  }
  State state = {
      0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  for (std::size_t pos = 0; pos < padded.size(); pos += kBlock) {
    add_block(state,
              reinterpret_cast<const std::uint8_t*>(padded.data()) + pos);
  }
  Sha1Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest.at(i) =
        static_cast<std::uint8_t>(state.at(i / 4) >> (8 * (3 - i % 4)));
  }
  return digest;
}

std::string hex(const Sha1Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : digest) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
  return out;
}

std::uint32_t string_stable_hash(std::string_view text, std::uint32_t modulus) {
  std::string latin1;
  const Sha1Digest digest = to_latin1(text, latin1) ? sha1(latin1) : sha1(text);
  std::uint64_t rest = 0;
  for (std::size_t i = digest.size(); i-- > 0;) {
    rest = (rest * 256 + digest.at(i)) % modulus;
  }
  return static_cast<std::uint32_t>(rest);
}

}  // namespace opgen::text
