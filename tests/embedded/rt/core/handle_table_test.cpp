#include "embedded/rt/core/handle_table.h"

#include <atomic>
#include <cstdint>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace infini::rt::core {
namespace {

struct Counter {
  std::atomic<int> value{0};

  void reset(int start = 0) noexcept { value.store(start); }
};

using Table = HandleTable<Counter, 8>;

// The part of a handle that tells the place; the use is above it.
constexpr std::uintptr_t kPlaces = std::uintptr_t{1} << 26;

TEST(HandleTableTest, FindsWhatItCreated) {
  Table table;
  void* handle = table.create(7);
  ASSERT_NE(handle, nullptr);
  Counter* counter = table.find(handle);
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(counter->value, 7);
  EXPECT_TRUE(table.remove(handle));
  EXPECT_EQ(table.find(handle), nullptr);
  EXPECT_FALSE(table.remove(handle));
}

TEST(HandleTableTest, HandlesLookLikeAddresses) {
  Table table;
  for (int i = 0; i < 1000; ++i) {
    const auto bits = reinterpret_cast<std::uintptr_t>(table.create());
    EXPECT_EQ(bits % 16, 8U);
    EXPECT_EQ(bits >> 47, 0U);
  }
}

TEST(HandleTableTest, AReusedPlaceHasANewHandle) {
  Table table;
  void* first = table.create(1);
  table.remove(first);
  void* second = table.create(2);
  EXPECT_NE(first, second);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % kPlaces,
            reinterpret_cast<std::uintptr_t>(second) % kPlaces);
  EXPECT_EQ(table.find(first), nullptr);
  EXPECT_FALSE(table.remove(first));
  EXPECT_EQ(table.find(second)->value, 2);
}

TEST(HandleTableTest, RejectsEveryOtherPattern) {
  Table table;
  HandleTable<Counter, 0> other_kind;
  std::set<void*> live;
  for (int i = 0; i < 200; ++i) {
    live.insert(table.create());
  }
  int on_stack = 0;
  EXPECT_EQ(table.find(nullptr), nullptr);
  EXPECT_EQ(table.find(&on_stack), nullptr);
  EXPECT_EQ(table.find(other_kind.create()), nullptr);
  for (int bit = 0; bit < 64; ++bit) {
    const auto flipped = reinterpret_cast<std::uintptr_t>(*live.begin()) ^
                         (std::uintptr_t{1} << bit);
    void* pattern = reinterpret_cast<void*>(flipped);
    EXPECT_EQ(table.find(pattern) != nullptr, live.count(pattern) == 1) << bit;
  }
  std::mt19937_64 random{11};
  for (int i = 0; i < 1000000; ++i) {
    void* pattern = reinterpret_cast<void*>(random() >> (i % 64));
    EXPECT_EQ(table.find(pattern) != nullptr, live.count(pattern) == 1);
  }
}

TEST(HandleTableTest, GrowsAndVisitsTheLiveOnes) {
  Table table;
  std::vector<void*> handles;
  for (int i = 0; i < 5000; ++i) {
    handles.push_back(table.create(i));
  }
  for (int i = 0; i < 5000; i += 2) {
    EXPECT_TRUE(table.remove(handles[i]));
  }
  int count = 0;
  table.for_each([&](Counter& counter) {
    EXPECT_EQ(counter.value % 2, 1);
    ++count;
  });
  EXPECT_EQ(count, 2500);
}

TEST(HandleTableTest, OnlyOneThreadRemoves) {
  Table table;
  for (int round = 0; round < 200; ++round) {
    void* handle = table.create();
    std::atomic<int> removed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] { removed += table.remove(handle) ? 1 : 0; });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(removed, 1);
  }
}

TEST(HandleTableTest, ThreadsShareTheTable) {
  Table table;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5000; ++round) {
        const void* handle = table.create(i);
        Counter* counter = table.find(handle);
        ASSERT_NE(counter, nullptr);
        ASSERT_EQ(counter->value, i);
        ASSERT_TRUE(table.remove(handle));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  table.for_each([](Counter&) { FAIL(); });
}

}  // namespace
}  // namespace infini::rt::core
