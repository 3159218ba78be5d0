#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <infini/rt.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): has setenv

#include "embedded/extension.h"
#include "tests/fake_rt/query.h"

// Each test runs in a process of its own: the environment is read once.
namespace {

using namespace infini::rt::runtime;  // NOLINT: the API under test

constexpr auto kDelay = std::chrono::milliseconds{30};

const infini_extension::RtTable& table() {
  return *infini_rt_extension(1);
}

class FakeRtTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("FAKE_RT_DELAY_US", "30000", 1);
    setenv("FAKE_RT_LAZY", "1", 1);
  }

  static Stream make_stream() {
    Stream stream = nullptr;
    EXPECT_EQ(StreamCreate(&stream), kSuccess);
    return stream;
  }

  static Event make_event() {
    Event event = nullptr;
    EXPECT_EQ(EventCreate(&event), kSuccess);
    return event;
  }

  static char* make_block(std::size_t size) {
    void* block = nullptr;
    EXPECT_EQ(Malloc(&block, size), kSuccess);
    return static_cast<char*>(block);
  }

  static char* make_host_block(std::size_t size) {
    void* block = nullptr;
    EXPECT_EQ(MallocHost(&block, size), kSuccess);
    return static_cast<char*>(block);
  }
};

TEST_F(FakeRtTest, SaysWhatItIs) {
  EXPECT_STREQ(table().library, "fake InfiniRT");
  int count = 0;
  EXPECT_EQ(GetDeviceCount(&count), kSuccess);
  EXPECT_EQ(count, 2);
  using namespace infini_extension;
  EXPECT_EQ(table().capabilities(0),
            kAsyncMemcpy | kHostAllocation | kAsyncAllocation | kEvents |
                kHostAccess);
  DeviceProperties properties;
  ASSERT_EQ(table().device_properties(1, &properties), 0);
  EXPECT_STREQ(properties.name, "Fake device 1");
  EXPECT_EQ(properties.total_memory, 1024U << 20);
}

TEST_F(FakeRtTest, CopiesReturnEarlyAndRunInOrder) {
  Stream stream = make_stream();
  char* host = make_host_block(4);
  char* block = make_block(4);
  std::memcpy(host, "abc", 4);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(MemcpyAsync(block, host, 4, kMemcpyHostToDevice, stream), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 'x', 1, stream), kSuccess);
  EXPECT_EQ(
      table().launch_host_function(
          stream, [](void* text) { static_cast<char*>(text)[1] = 'y'; }, block),
      0);
  EXPECT_EQ(table().stream_query(stream), infini_extension::kNotReady);
  EXPECT_EQ(StreamSynchronize(stream), kSuccess);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 3 * kDelay);
  EXPECT_STREQ(block, "xyc");
  EXPECT_EQ(table().stream_query(stream), 0);
  infini_extension::StreamTickets tickets{};
  EXPECT_EQ(table().stream_tickets(stream, &tickets), 0);
  EXPECT_EQ(tickets.submitted, 3U);
  EXPECT_EQ(tickets.completed, 3U);
  EXPECT_EQ(fake_rt_calls("MemcpyAsync"), 1U);
  EXPECT_EQ(fake_rt_calls("launch_host_function"), 1U);
  EXPECT_EQ(fake_rt_calls("Nothing"), 0U);
  EXPECT_EQ(fake_rt_violations(), 0U);
}

TEST_F(FakeRtTest, EventsFollowTheirStream) {
  Stream stream = make_stream();
  Event start = make_event();
  Event end = make_event();
  char* block = make_block(4);
  float ms = 0;
  EXPECT_EQ(EventElapsedTime(&ms, start, end), 400);
  EXPECT_EQ(EventRecord(start, stream), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 1, 4, stream), kSuccess);
  EXPECT_EQ(EventRecord(end, stream), kSuccess);
  EXPECT_EQ(EventQuery(end), infini_extension::kNotReady);
  EXPECT_EQ(EventElapsedTime(&ms, start, end), infini_extension::kNotReady);
  EXPECT_EQ(EventSynchronize(end), kSuccess);
  EXPECT_EQ(EventQuery(end), kSuccess);
  EXPECT_EQ(EventElapsedTime(&ms, start, end), kSuccess);
  EXPECT_GE(ms, 30.0F);
  EXPECT_EQ(EventDestroy(end), kSuccess);
  EXPECT_EQ(EventQuery(end), 400);
}

TEST_F(FakeRtTest, OnlyAWaitOrdersTwoStreams) {
  Stream first = make_stream();
  Stream second = make_stream();
  Event event = make_event();
  char* block = make_block(1);
  EXPECT_EQ(MemsetAsync(block, 1, 1, first), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 2, 1, first), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 3, 1, second), kSuccess);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
  EXPECT_EQ(*block, 2);
  EXPECT_EQ(MemsetAsync(block, 1, 1, first), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 2, 1, first), kSuccess);
  EXPECT_EQ(EventRecord(event, first), kSuccess);
  EXPECT_EQ(StreamWaitEvent(second, event, 0), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 3, 1, second), kSuccess);
  EXPECT_EQ(EventDestroy(event), kSuccess);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
  EXPECT_EQ(*block, 3);
}

TEST_F(FakeRtTest, EarlyReleaseIsAViolation) {
  Stream stream = make_stream();
  char* device = make_block(8);
  char* host = make_host_block(8);
  EXPECT_EQ(MemcpyAsync(device, host, 8, kMemcpyHostToDevice, stream),
            kSuccess);
  EXPECT_EQ(MemsetAsync(device, 0, 8, stream), kSuccess);
  EXPECT_EQ(FreeHost(host), kSuccess);
  EXPECT_EQ(Free(device), kSuccess);
  EXPECT_EQ(StreamSynchronize(stream), kSuccess);
  EXPECT_EQ(fake_rt_violations(), 2U);
}

TEST_F(FakeRtTest, ReleaseInStreamOrderIsNone) {
  Stream stream = make_stream();
  void* block = nullptr;
  EXPECT_EQ(MallocAsync(&block, 8, stream), kSuccess);
  EXPECT_EQ(MemsetAsync(block, 1, 8, stream), kSuccess);
  EXPECT_EQ(FreeAsync(block, stream), kSuccess);
  EXPECT_EQ(fake_rt_live_allocations(), 1U);
  EXPECT_EQ(StreamSynchronize(stream), kSuccess);
  EXPECT_EQ(fake_rt_live_allocations(), 0U);
  EXPECT_EQ(fake_rt_violations(), 0U);
}

TEST_F(FakeRtTest, CountsWhatIsLive) {
  Stream stream = make_stream();
  Event event = make_event();
  char* device = make_block(0);
  char* host = make_host_block(8);
  EXPECT_EQ(fake_rt_live_allocations(), 2U);
  EXPECT_EQ(fake_rt_live_streams(), 1U);
  EXPECT_EQ(fake_rt_live_events(), 1U);
  EXPECT_EQ(Free(device + 1), 1);
  EXPECT_EQ(Free(device), kSuccess);
  EXPECT_EQ(Free(device), 1);
  EXPECT_EQ(FreeHost(host), kSuccess);
  EXPECT_EQ(FreeHost(host), 1);
  EXPECT_EQ(StreamDestroy(stream), kSuccess);
  EXPECT_EQ(StreamDestroy(stream), 400);
  EXPECT_EQ(EventDestroy(event), kSuccess);
  EXPECT_EQ(fake_rt_live_allocations(), 0U);
  EXPECT_EQ(fake_rt_live_streams(), 0U);
  EXPECT_EQ(fake_rt_live_events(), 0U);
}

TEST_F(FakeRtTest, RejectsRangesOutsideOfBlocks) {
  char* block = make_block(8);
  char* other = make_block(8);
  char host[16] = {};
  EXPECT_EQ(Memcpy(block, host, 9, kMemcpyHostToDevice), 1);
  EXPECT_EQ(Memcpy(block + 4, host, 5, kMemcpyHostToDevice), 1);
  EXPECT_EQ(Memcpy(block + 4, host, 4, kMemcpyHostToDevice), kSuccess);
  EXPECT_EQ(Memset(other - 1, 0, 1), 1);
  EXPECT_EQ(Free(block), kSuccess);
  EXPECT_EQ(Memset(block, 0, 1), 1);
  EXPECT_EQ(Memset(other, 0, 8), kSuccess);
}

TEST_F(FakeRtTest, DevicesHaveTheirOwnMemoryAndStreams) {
  setenv("FAKE_RT_DEVICES", "3", 1);
  setenv("FAKE_RT_MEMORY_MB", "1", 1);
  EXPECT_EQ(SetDevice(3), 1);
  EXPECT_EQ(SetDevice(-1), 1);
  void* block = nullptr;
  EXPECT_EQ(Malloc(&block, (1 << 20) - 1), kSuccess);
  void* more = static_cast<void*>(&block);
  EXPECT_EQ(Malloc(&more, 1), 2);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(SetDevice(2), kSuccess);
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(MemGetInfo(&free, &total), kSuccess);
  EXPECT_EQ(free, total);
  EXPECT_EQ(table().memory_info(0, &free, &total), 0);
  EXPECT_EQ(free, 0U);
  EXPECT_EQ(Malloc(&more, ~std::size_t{0}), 2);
  EXPECT_EQ(Malloc(&more, 1), kSuccess);
  int other_thread = -1;
  std::thread{[&] { GetDevice(&other_thread); }}.join();
  EXPECT_EQ(other_thread, 0);
  EXPECT_EQ(MemsetAsync(more, 0, 1, nullptr), kSuccess);
  EXPECT_EQ(SetDevice(0), kSuccess);
  EXPECT_EQ(table().stream_query(nullptr), 0);
  EXPECT_EQ(SetDevice(2), kSuccess);
  EXPECT_EQ(table().stream_query(nullptr), infini_extension::kNotReady);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
}

TEST_F(FakeRtTest, WithoutHostAccessAnAccessIsFatal) {
  setenv("FAKE_RT_CAPABILITIES", "async_memcpy,events", 1);
  char* block = make_block(8);
  char host[8] = "secret";
  EXPECT_EQ(Memcpy(block, host, 8, kMemcpyHostToDevice), kSuccess);
  std::memset(host, 0, sizeof(host));
  EXPECT_EQ(MemcpyAsync(host, block, 8, kMemcpyDeviceToHost, nullptr),
            kSuccess);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
  EXPECT_STREQ(host, "secret");
  EXPECT_DEATH(host[0] = *static_cast<volatile char*>(block), "");
  EXPECT_EQ(Free(block), kSuccess);
}

TEST_F(FakeRtTest, WithoutACapabilityItsFunctionsFail) {
  setenv("FAKE_RT_CAPABILITIES", "", 1);
  EXPECT_EQ(table().capabilities(0), 0U);
  void* block = nullptr;
  Event event = nullptr;
  EXPECT_EQ(MallocHost(&block, 8), 1);
  EXPECT_EQ(MallocAsync(&block, 8, nullptr), 1);
  EXPECT_EQ(EventCreate(&event), 1);
  block = make_block(8);
  EXPECT_EQ(MemsetAsync(block, 0, 8, nullptr), 1);
  EXPECT_EQ(FreeAsync(block, nullptr), 1);
  EXPECT_EQ(Memset(block, 0, 8), kSuccess);
  EXPECT_EQ(Free(block), kSuccess);
}

TEST_F(FakeRtTest, InlineStreamsHaveFinishedOnReturn) {
  setenv("FAKE_RT_CAPABILITIES", "async_memcpy,host_access,inline_streams", 1);
  char* block = make_block(8);
  EXPECT_EQ(MemsetAsync(block, 5, 8, nullptr), kSuccess);
  EXPECT_EQ(table().stream_query(nullptr), 0);
  EXPECT_EQ(block[7], 5);
}

TEST_F(FakeRtTest, CallsFailAsAsked) {
  setenv("FAKE_RT_FAIL", "MemcpyAsync:3,Malloc:2+", 1);
  char* block = make_block(8);
  void* more = nullptr;
  EXPECT_EQ(Malloc(&more, 8), 2);
  EXPECT_EQ(Malloc(&more, 8), 2);
  char host[8] = {};
  const Error expected[] = {0, 0, 999, 0};
  for (const Error error : expected) {
    EXPECT_EQ(MemcpyAsync(block, host, 8, kMemcpyHostToDevice, nullptr), error);
  }
  EXPECT_EQ(fake_rt_calls("MemcpyAsync"), 4U);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
}

TEST_F(FakeRtTest, AHostFunctionMayNotWait) {
  static std::atomic<int> errors[3];
  EXPECT_EQ(table().launch_host_function(
                nullptr,
                [](void*) {
                  char byte = 0;
                  errors[0] = StreamSynchronize(nullptr);
                  errors[1] = DeviceSynchronize();
                  errors[2] = Memset(&byte, 1, 1);
                },
                nullptr),
            0);
  EXPECT_EQ(StreamSynchronize(nullptr), kSuccess);
  for (const auto& error : errors) {
    EXPECT_EQ(error, 800);
  }
}

std::atomic<int> started{0};
std::atomic<int> slept{0};
std::atomic<int> applied{0};
thread_local infini_extension::TaskSettings own_settings = 0;

TEST_F(FakeRtTest, CallsTheExecutorHooks) {
  const infini_extension::ExecutorHooks hooks{
      .start = [] { ++started; },
      .sleep = [] { ++slept; },
      .capture_settings = [] { return own_settings; },
      .apply_settings =
          [](infini_extension::TaskSettings settings) {
            ++applied;
            own_settings = settings;
          },
  };
  EXPECT_EQ(table().set_executor_hooks(&hooks), 0);
  static std::atomic<infini_extension::TaskSettings> seen{0};
  own_settings = 7;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(table().launch_host_function(
                  nullptr, [](void*) { seen = own_settings; }, nullptr),
              0);
  }
  EXPECT_EQ(StreamSynchronize(nullptr), kSuccess);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(applied, 1);
  EXPECT_EQ(seen, 7U);
  own_settings = 8;
  EXPECT_EQ(table().launch_host_function(
                nullptr, [](void*) { seen = own_settings; }, nullptr),
            0);
  EXPECT_EQ(StreamSynchronize(nullptr), kSuccess);
  EXPECT_EQ(applied, 2);
  EXPECT_EQ(seen, 8U);
  EXPECT_GE(slept, 1);
}

TEST_F(FakeRtTest, AMalformedSettingEndsTheProcess) {
  EXPECT_DEATH(
      {
        setenv("FAKE_RT_CAPABILITIES", "teleport", 1);
        SetDevice(0);
      },
      "FAKE_RT_CAPABILITIES: cannot understand 'teleport'");
  EXPECT_DEATH(
      {
        setenv("FAKE_RT_FAIL", "Malloc", 1);
        SetDevice(0);
      },
      "FAKE_RT_FAIL: cannot understand 'Malloc'");
}

TEST_F(FakeRtTest, ReplacesTheLibraryByItsName) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&fake_rt_calls), &info), 0);
  EXPECT_NE(std::string{info.dli_fname}.find("libinfinirt.so"),
            std::string::npos);
}

}  // namespace
