// SHA-1, for the choice of shards only; it protects nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace opgen::text {

using Sha1Digest = std::array<std::uint8_t, 20>;

Sha1Digest sha1(std::string_view bytes);

// Lower case, 40 digits.
std::string hex(const Sha1Digest& digest);

// torchgen's string_stable_hash(text) % modulus: the digest of the text in
// Latin-1, read as a little-endian number. A text that Latin-1 cannot hold is
// taken in UTF-8 instead. `modulus` is not 0.
std::uint32_t string_stable_hash(std::string_view text, std::uint32_t modulus);

}  // namespace opgen::text
