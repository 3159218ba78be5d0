// A fast 64-bit hash of bytes, the same on every little-endian machine. It
// detects changes; it does not withstand someone who looks for collisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace opgen::text {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace opgen::text
