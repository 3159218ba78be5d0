#include "embedded/extension.h"

#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace {

namespace runtime = infini::rt::runtime;

using infini_extension::RtTable;

const RtTable& table() {
  return *infini_rt_extension(infini_extension::kRtVersion);
}

TEST(ExtensionTest, ServesItsVersionAndOlderOnes) {
  ASSERT_NE(infini_rt_extension(1), nullptr);
  EXPECT_EQ(infini_rt_extension(infini_extension::kRtVersion + 1), nullptr);
  EXPECT_EQ(infini_rt_extension(~0U), nullptr);
  EXPECT_EQ(table().version, infini_extension::kRtVersion);
  EXPECT_EQ(table().struct_size, sizeof(RtTable));
  EXPECT_STREQ(table().library, "embedded InfiniRT 0.1.0");
}

TEST(ExtensionTest, EveryFunctionIsThere) {
  EXPECT_NE(table().capabilities, nullptr);
  EXPECT_NE(table().backends, nullptr);
  EXPECT_NE(table().error_string, nullptr);
  EXPECT_NE(table().device_properties, nullptr);
  EXPECT_NE(table().memory_info, nullptr);
  EXPECT_NE(table().stream_query, nullptr);
  EXPECT_NE(table().launch_host_function, nullptr);
  EXPECT_NE(table().stream_tickets, nullptr);
  EXPECT_NE(table().set_executor_hooks, nullptr);
}

TEST(ExtensionTest, TellsTheBackends) {
  int types[4] = {-1, -1, -1, -1};
  EXPECT_EQ(table().backends(types, 4), 1U);
  EXPECT_EQ(types[0], 0);
  EXPECT_EQ(types[1], -1);
  types[0] = -1;
  EXPECT_EQ(table().backends(types, 0), 1U);
  EXPECT_EQ(types[0], -1);
  EXPECT_EQ(table().backends(nullptr, 0), 1U);
  EXPECT_EQ(table().backends(nullptr, 4), 1U);
}

TEST(ExtensionTest, TellsTheCapabilities) {
  using namespace infini_extension;
  EXPECT_EQ(table().capabilities(0),
            kAsyncMemcpy | kHostAllocation | kAsyncAllocation | kEvents |
                kHostAccess | kInlineStreams);
  for (const int absent : {1, 7, 8, kEmulatorDeviceType, -1}) {
    EXPECT_EQ(table().capabilities(absent), 0U) << absent;
  }
}

TEST(ExtensionTest, NamesErrors) {
  std::set<std::string> texts;
  for (const int error : {0, 1, 2, 400, 600, 800, 12345}) {
    const char* text = table().error_string(error);
    ASSERT_NE(text, nullptr);
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
  EXPECT_STREQ(table().error_string(-5), table().error_string(12345));
}

TEST(ExtensionTest, DescribesTheDevice) {
  infini_extension::DeviceProperties properties;
  std::memset(&properties, 0x7f, sizeof(properties));
  ASSERT_EQ(table().device_properties(0, &properties), 0);
  EXPECT_NE(std::memchr(properties.name, 0, sizeof(properties.name)), nullptr);
  EXPECT_NE(properties.name[0], 0);
  EXPECT_GT(properties.total_memory, 0U);
  EXPECT_GE(properties.multi_processor_count, 1);
  EXPECT_EQ(table().device_properties(0, nullptr), 1);
  EXPECT_EQ(table().device_properties(1, &properties), 1);
  EXPECT_EQ(table().device_properties(-1, &properties), 1);
}

TEST(ExtensionTest, TellsTheMemoryOfADevice) {
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(table().memory_info(0, &free, &total), 0);
  EXPECT_GT(free, 0U);
  EXPECT_LE(free, total);
  EXPECT_EQ(table().memory_info(1, &free, &total), 1);
  EXPECT_EQ(table().memory_info(-1, &free, &total), 1);
  EXPECT_EQ(table().memory_info(0, nullptr, &total), 1);
}

TEST(ExtensionTest, TicketsCountTheTasksOfOneStream) {
  runtime::Stream stream = nullptr;
  ASSERT_EQ(runtime::StreamCreate(&stream), 0);
  infini_extension::StreamTickets tickets{7, 7};
  ASSERT_EQ(table().stream_tickets(stream, &tickets), 0);
  EXPECT_EQ(tickets.submitted, 0U);
  EXPECT_EQ(tickets.completed, 0U);
  char data[8] = {};
  EXPECT_EQ(runtime::MemsetAsync(data, 1, 8, stream), 0);
  EXPECT_EQ(table().launch_host_function(
                stream, [](void* d) { *static_cast<char*>(d) = 9; }, data),
            0);
  EXPECT_EQ(data[0], 9);
  EXPECT_EQ(data[1], 1);
  ASSERT_EQ(table().stream_tickets(stream, &tickets), 0);
  EXPECT_EQ(tickets.submitted, 2U);
  EXPECT_EQ(tickets.completed, 2U);
  EXPECT_EQ(table().stream_query(stream), 0);
  EXPECT_EQ(table().stream_query(nullptr), 0);
  EXPECT_EQ(table().stream_tickets(stream, nullptr), 1);
  EXPECT_EQ(table().launch_host_function(stream, nullptr, data), 1);
  EXPECT_EQ(runtime::StreamDestroy(stream), 0);
}

TEST(ExtensionTest, AHostFunctionMayNotWaitForItself) {
  static runtime::Stream stream = nullptr;
  ASSERT_EQ(runtime::StreamCreate(&stream), 0);
  int errors[4] = {};
  EXPECT_EQ(table().launch_host_function(
                stream,
                [](void* argument) {
                  auto* errors = static_cast<int*>(argument);
                  errors[0] = runtime::StreamSynchronize(stream);
                  errors[1] = runtime::DeviceSynchronize();
                  errors[2] = runtime::StreamDestroy(stream);
                  errors[3] = runtime::MemsetAsync(errors, 0, 0, stream);
                },
                errors),
            0);
  for (const int error : errors) {
    EXPECT_EQ(error, 800);
  }
  EXPECT_EQ(runtime::StreamDestroy(stream), 0);
}

TEST(ExtensionTest, HooksAreKept) {
  const infini_extension::ExecutorHooks hooks{};
  EXPECT_EQ(table().set_executor_hooks(&hooks), 0);
  EXPECT_EQ(table().set_executor_hooks(nullptr), 0);
}

}  // namespace
