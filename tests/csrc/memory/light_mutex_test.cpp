#include "csrc/memory/light_mutex.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace torch_infini {
namespace {

TEST(LightMutex, lets_one_thread_in_at_a_time) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 20000;
  LightMutex mutex;
  long count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::scoped_lock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(count, long{kThreads} * kRounds);
}

// Those who wait sleep, and each of them is woken.
TEST(LightMutex, wakes_whoever_waits) {
  constexpr int kThreads = 4;
  LightMutex mutex;
  int entered = 0;
  std::vector<std::thread> threads;
  {
    const std::scoped_lock lock(mutex);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        const std::scoped_lock inner(mutex);
        ++entered;
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(entered, 0);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(entered, kThreads);
}

}  // namespace
}  // namespace torch_infini
