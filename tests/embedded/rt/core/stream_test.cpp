#include "embedded/rt/core/stream.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace infini::rt::core {
namespace {

TEST(StreamTest, RunsTasksInTheSubmittingThread) {
  Stream stream;
  std::thread::id runner;
  EXPECT_EQ(stream.run([&] { runner = std::this_thread::get_id(); }), kSuccess);
  EXPECT_EQ(runner, std::this_thread::get_id());
  EXPECT_EQ(stream.tickets().submitted, 1U);
  EXPECT_EQ(stream.tickets().completed, 1U);
  EXPECT_EQ(stream.query(), kSuccess);
}

TEST(StreamTest, ResetStartsTicketsAgain) {
  Stream stream;
  stream.run([] {});
  stream.reset();
  EXPECT_EQ(stream.tickets().submitted, 0U);
  EXPECT_EQ(stream.tickets().completed, 0U);
}

TEST(StreamTest, TasksOfSeveralThreadsNeverOverlap) {
  Stream stream;
  int plain = 0;
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3000; ++round) {
        stream.run([&] {
          if (++inside != 1) {
            overlapped = true;
          }
          std::this_thread::yield();
          ++plain;
          --inside;
        });
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_FALSE(overlapped);
  EXPECT_EQ(plain, 12000);
  EXPECT_EQ(stream.tickets().completed, 12000U);
}

TEST(StreamTest, QueryAndSynchronizeSeeAnotherThreadsTask) {
  Stream stream;
  std::atomic<bool> started{false};
  std::atomic<bool> release{false};
  int result = 0;
  std::thread worker{[&] {
    stream.run([&] {
      started = true;
      while (!release) {
        std::this_thread::yield();
      }
      result = 5;
    });
  }};
  while (!started) {
    std::this_thread::yield();
  }
  EXPECT_EQ(stream.query(), kNotReady);
  EXPECT_EQ(stream.tickets().submitted, 1U);
  EXPECT_EQ(stream.tickets().completed, 0U);
  std::thread releaser{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    release = true;
  }};
  EXPECT_EQ(stream.synchronize(), kSuccess);
  EXPECT_EQ(result, 5);
  EXPECT_EQ(stream.query(), kSuccess);
  worker.join();
  releaser.join();
}

struct Nested {
  Stream* own;
  Stream* other;
  Error run_own = kSuccess;
  Error wait_own = kSuccess;
  Error run_other = kInvalidValue;
  Error nested_own = kSuccess;
};

TEST(StreamTest, AHostFunctionMayUseOtherStreamsOnly) {
  Stream own;
  Stream other;
  Nested nested{&own, &other};
  EXPECT_FALSE(in_host_function());
  EXPECT_EQ(own.run_host_function(
                [](void* argument) {
                  auto& nested = *static_cast<Nested*>(argument);
                  EXPECT_TRUE(in_host_function());
                  nested.run_own = nested.own->run([] {});
                  nested.wait_own = nested.own->synchronize();
                  nested.run_other = nested.other->run_host_function(
                      [](void* argument) {
                        auto& nested = *static_cast<Nested*>(argument);
                        nested.nested_own = nested.own->run([] {});
                      },
                      argument);
                },
                &nested),
            kSuccess);
  EXPECT_EQ(nested.run_own, kNotPermitted);
  EXPECT_EQ(nested.wait_own, kNotPermitted);
  EXPECT_EQ(nested.run_other, kSuccess);
  EXPECT_EQ(nested.nested_own, kNotPermitted);
  EXPECT_FALSE(in_host_function());
  EXPECT_EQ(own.tickets().submitted, 1U);
  EXPECT_EQ(other.tickets().completed, 1U);
}

TEST(StreamTest, AnExceptionEndsTheTaskAndTheStreamGoesOn) {
  Stream stream;
  EXPECT_THROW(stream.run_host_function(
                   [](void*) { throw std::runtime_error("host"); }, nullptr),
               std::runtime_error);
  EXPECT_FALSE(in_host_function());
  EXPECT_EQ(stream.query(), kSuccess);
  EXPECT_EQ(stream.run([] {}), kSuccess);
  EXPECT_EQ(stream.tickets().completed, 2U);
}

}  // namespace
}  // namespace infini::rt::core
