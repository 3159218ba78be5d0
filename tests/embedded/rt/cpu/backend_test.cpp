#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <infini/rt.h>

#include "embedded/extension.h"

namespace infini::rt::runtime {
namespace {

const infini_extension::RtTable& table() {
  return *infini_rt_extension(1);
}

TEST(StreamApiTest, StreamsAreDistinctObjects) {
  std::set<Stream> streams;
  for (int i = 0; i < 100; ++i) {
    Stream stream = nullptr;
    ASSERT_EQ(StreamCreate(&stream), kSuccess);
    ASSERT_NE(stream, nullptr);
    EXPECT_TRUE(streams.insert(stream).second);
  }
  for (Stream stream : streams) {
    EXPECT_EQ(StreamSynchronize(stream), kSuccess);
    EXPECT_EQ(StreamDestroy(stream), kSuccess);
  }
}

TEST(StreamApiTest, NullIsTheDefaultStream) {
  EXPECT_EQ(StreamCreate(nullptr), 1);
  EXPECT_EQ(StreamSynchronize(nullptr), kSuccess);
  EXPECT_EQ(StreamDestroy(nullptr), kSuccess);
  EXPECT_EQ(StreamSynchronize(nullptr), kSuccess);
}

TEST(StreamApiTest, DestroyedAndInventedHandlesAreErrors) {
  Stream stream = nullptr;
  Event event = nullptr;
  ASSERT_EQ(StreamCreate(&stream), kSuccess);
  ASSERT_EQ(EventCreate(&event), kSuccess);
  int local = 0;
  const auto expect_no_stream = [&](Stream bad) {
    EXPECT_EQ(StreamSynchronize(bad), 400);
    EXPECT_EQ(StreamDestroy(bad), 400);
    EXPECT_EQ(StreamWaitEvent(bad, event, 0), 400);
    EXPECT_EQ(EventRecord(event, bad), 400);
    EXPECT_EQ(table().stream_query(bad), 400);
    infini_extension::StreamTickets tickets{};
    EXPECT_EQ(table().stream_tickets(bad, &tickets), 400);
    EXPECT_EQ(
        table().launch_host_function(bad, [](void*) { FAIL(); }, nullptr), 400);
  };
  ASSERT_EQ(StreamDestroy(stream), kSuccess);
  expect_no_stream(stream);
  expect_no_stream(event);
  expect_no_stream(&local);
  expect_no_stream(reinterpret_cast<Stream>(std::uintptr_t{1}));
  expect_no_stream(reinterpret_cast<Stream>(~std::uintptr_t{0}));
  EXPECT_EQ(EventDestroy(event), kSuccess);
}

TEST(EventApiTest, RecordsQueriesAndMeasures) {
  Stream stream = nullptr;
  Event start = nullptr;
  Event end = nullptr;
  ASSERT_EQ(StreamCreate(&stream), kSuccess);
  ASSERT_EQ(EventCreate(&start), kSuccess);
  ASSERT_EQ(EventCreateWithFlags(&end, 0), kSuccess);
  float ms = -1;
  EXPECT_EQ(EventQuery(start), kSuccess);
  EXPECT_EQ(EventSynchronize(start), kSuccess);
  EXPECT_EQ(EventElapsedTime(&ms, start, end), 400);
  EXPECT_EQ(EventRecord(start, stream), kSuccess);
  EXPECT_EQ(EventElapsedTime(&ms, start, end), 400);
  EXPECT_EQ(EventElapsedTime(&ms, end, start), 400);
  EXPECT_EQ(ms, -1);
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  EXPECT_EQ(EventRecord(end, nullptr), kSuccess);
  EXPECT_EQ(EventQuery(end), kSuccess);
  EXPECT_EQ(EventSynchronize(end), kSuccess);
  EXPECT_EQ(StreamWaitEvent(stream, end, 0), kSuccess);
  EXPECT_EQ(EventElapsedTime(&ms, start, end), kSuccess);
  EXPECT_GE(ms, 2.0F);
  EXPECT_EQ(EventDestroy(start), kSuccess);
  EXPECT_EQ(EventDestroy(end), kSuccess);
  EXPECT_EQ(StreamDestroy(stream), kSuccess);
}

TEST(EventApiTest, FlagTwoKeepsNoTime) {
  Event event = nullptr;
  ASSERT_EQ(EventCreateWithFlags(&event, 2), kSuccess);
  EXPECT_EQ(EventRecord(event, nullptr), kSuccess);
  EXPECT_EQ(EventQuery(event), kSuccess);
  float ms = 0;
  EXPECT_EQ(EventElapsedTime(&ms, event, event), 400);
  EXPECT_EQ(EventDestroy(event), kSuccess);
}

TEST(EventApiTest, NullIsInvalidAndDestroyedIsMissing) {
  Event event = nullptr;
  float ms = 0;
  EXPECT_EQ(EventCreate(nullptr), 1);
  EXPECT_EQ(EventCreateWithFlags(nullptr, 0), 1);
  EXPECT_EQ(EventQuery(nullptr), 1);
  EXPECT_EQ(EventSynchronize(nullptr), 1);
  EXPECT_EQ(EventRecord(nullptr, nullptr), 1);
  EXPECT_EQ(StreamWaitEvent(nullptr, nullptr, 0), 1);
  EXPECT_EQ(EventDestroy(nullptr), kSuccess);
  ASSERT_EQ(EventCreate(&event), kSuccess);
  EXPECT_EQ(EventElapsedTime(nullptr, event, event), 1);
  EXPECT_EQ(EventElapsedTime(&ms, nullptr, event), 1);
  EXPECT_EQ(EventElapsedTime(&ms, event, nullptr), 1);
  EXPECT_EQ(EventDestroy(event), kSuccess);
  EXPECT_EQ(EventDestroy(event), 400);
  EXPECT_EQ(EventQuery(event), 400);
  EXPECT_EQ(EventSynchronize(event), 400);
  EXPECT_EQ(EventRecord(event, nullptr), 400);
  EXPECT_EQ(StreamWaitEvent(nullptr, event, 0), 400);
  EXPECT_EQ(EventElapsedTime(&ms, event, event), 400);
}

TEST(ThreadsTest, EachThreadWithItsOwnStreamAndEvents) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int round = 0; round < 300; ++round) {
        Stream stream = nullptr;
        Event event = nullptr;
        void* block = nullptr;
        ASSERT_EQ(StreamCreate(&stream), kSuccess);
        ASSERT_EQ(EventCreate(&event), kSuccess);
        ASSERT_EQ(MallocAsync(&block, 256, stream), kSuccess);
        ASSERT_EQ(MemsetAsync(block, i, 256, stream), kSuccess);
        ASSERT_EQ(EventRecord(event, stream), kSuccess);
        ASSERT_EQ(StreamWaitEvent(nullptr, event, 0), kSuccess);
        ASSERT_EQ(EventSynchronize(event), kSuccess);
        ASSERT_EQ(static_cast<char*>(block)[255], i);
        ASSERT_EQ(DeviceSynchronize(), kSuccess);
        ASSERT_EQ(FreeAsync(block, stream), kSuccess);
        ASSERT_EQ(EventDestroy(event), kSuccess);
        ASSERT_EQ(StreamDestroy(stream), kSuccess);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(ThreadsTest, DeviceSynchronizeWaitsForEveryStream) {
  Stream stream = nullptr;
  ASSERT_EQ(StreamCreate(&stream), kSuccess);
  std::atomic<int> stage{0};
  std::thread worker{[&] {
    table().launch_host_function(
        stream,
        [](void* argument) {
          auto& stage = *static_cast<std::atomic<int>*>(argument);
          stage = 1;
          std::this_thread::sleep_for(std::chrono::milliseconds{20});
          stage = 2;
        },
        &stage);
  }};
  while (stage == 0) {
    std::this_thread::yield();
  }
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
  EXPECT_EQ(stage, 2);
  worker.join();
  EXPECT_EQ(StreamDestroy(stream), kSuccess);
}

}  // namespace
}  // namespace infini::rt::runtime
