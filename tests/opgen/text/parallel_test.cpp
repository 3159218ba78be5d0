#include "opgen/text/parallel.h"

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const std::size_t threads : {1U, 3U, 64U}) {
    std::vector<std::atomic<int>> calls(500);
    parallel_for(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) {
      EXPECT_EQ(count.load(), 1);
    }
  }
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, RethrowsTheLowest) {
  try {
    parallel_for(100, 4, [](std::size_t i) {
      if (i % 10 == 7) {
        throw std::runtime_error(std::to_string(i));
      }
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
}

}  // namespace

}  // namespace opgen::text
