#include "opgen/text/hash.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(HashBytes, EveryByteAndTheSizeCount) {
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  for (std::size_t size = 0; size < 100; ++size) {
    std::string text(size, '\0');
    seen.insert(hash_bytes(text));
    ++count;
    for (char& c : text) {
      c = 1;
      seen.insert(hash_bytes(text));
      ++count;
      c = 0;
    }
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(HashBytes, SeedCounts) {
  EXPECT_NE(hash_bytes("a", 1), hash_bytes("a", 2));
  EXPECT_EQ(hash_bytes("a", 1), hash_bytes("a", 1));
}

}  // namespace

}  // namespace opgen::text
