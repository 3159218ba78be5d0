#include "embedded/ops/cpu/parallel.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace infini::ops::cpu {

namespace {

TEST(Parallel, CallsEachIndexOnce) {
  for (std::size_t count = 0; count < 20; ++count) {
    std::vector<std::atomic<int>> calls(count);
    parallel_for(count, [&](std::size_t i) { calls[i].fetch_add(1); });
    for (const std::atomic<int>& call : calls) {
      EXPECT_EQ(call.load(), 1);
    }
  }
}

TEST(Parallel, RunsNestedRegionsInTheSameThread) {
  std::atomic<int> calls{0};
  parallel_for(4, [&](std::size_t) {
    const auto outer = std::this_thread::get_id();
    const bool inside = max_threads() == 1;
    parallel_for(3, [&](std::size_t) {
      if (inside) {
        EXPECT_EQ(std::this_thread::get_id(), outer);
      }
      calls.fetch_add(1);
    });
  });
  EXPECT_EQ(calls.load(), 12);
}

TEST(Parallel, PassesAnExceptionOn) {
  EXPECT_THROW(parallel_for(8,
                            [](std::size_t i) {
                              if (i == 5) {
                                throw std::runtime_error("five");
                              }
                            }),
               std::runtime_error);
}

TEST(Parallel, CutsOnlyLargeWork) {
  EXPECT_EQ(parts_of(0, 10), 1U);
  EXPECT_EQ(parts_of(19, 10), 1U);
  EXPECT_LE(parts_of(20, 10), 2U);
  EXPECT_LE(parts_of(1000000, 10), max_threads());
}

TEST(Parallel, WorksInAForkedChildOfAProcessThatHasThreads) {
  parallel_for(4, [](std::size_t) {});
  const std::uint64_t generation = fork_generation();
  const auto child = fork();
  if (child == 0) {
    std::atomic<int> calls{0};
    parallel_for(4, [&](std::size_t) { calls.fetch_add(1); });
    const bool fine = calls.load() == 4 && max_threads() == 1 &&
                      fork_generation() != generation;
    _exit(fine ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(fork_generation(), generation);
}

TEST(Parallel, NamesTheLibraryItUses) {
  if (max_threads() > 1) {
    EXPECT_NE(std::string(openmp_library()).find("omp"), std::string::npos);
  }
}

}  // namespace

}  // namespace infini::ops::cpu
