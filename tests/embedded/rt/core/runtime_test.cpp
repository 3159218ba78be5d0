#include <cstddef>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt::runtime {
namespace {

static_assert(std::is_same_v<Error, int> && std::is_same_v<Stream, void*>);
static_assert(std::is_same_v<Event, void*> && std::is_same_v<MemcpyKind, int>);
static_assert(kSuccess == 0);
static_assert(kMemcpyHostToHost == 0 && kMemcpyHostToDevice == 1);
static_assert(kMemcpyDeviceToHost == 2 && kMemcpyDeviceToDevice == 3);
static_assert(generated_detail::kDefaultDeviceType == Device::Type::kCpu);
static_assert(Runtime<Device::Type::kCpu>::Validate());
static_assert(Runtime<Device::Type::kCpu>::kErrorInvalidValue == 1);
static_assert(Runtime<Device::Type::kCpu>::kErrorMemoryAllocation == 2);

TEST(RuntimeTest, AMissingBackendIsIgnored) {
  EXPECT_EQ(runtime_device_type(), Device::Type::kCpu);
  for (const int type : {1, 2, 3, 4, 5, 6, 7, 8, 100, -1}) {
    set_runtime_device_type(static_cast<Device::Type>(type));
    EXPECT_EQ(runtime_device_type(), Device::Type::kCpu) << type;
  }
  int count = 0;
  EXPECT_EQ(GetDeviceCount(&count), kSuccess);
  EXPECT_EQ(count, 1);
}

TEST(RuntimeTest, EveryThreadStartsOnTheCpu) {
  Device::Type type = Device::Type::kCount;
  std::thread{[&] { type = runtime_device_type(); }}.join();
  EXPECT_EQ(type, Device::Type::kCpu);
}

TEST(RuntimeTest, HasOneDevice) {
  int value = -1;
  EXPECT_EQ(GetDevice(&value), kSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(SetDevice(0), kSuccess);
  EXPECT_EQ(SetDevice(1), 1);
  EXPECT_EQ(SetDevice(-1), 1);
  EXPECT_EQ(SetDevice(256), 1);
  EXPECT_EQ(GetDevice(nullptr), 1);
  EXPECT_EQ(GetDeviceCount(nullptr), 1);
  EXPECT_EQ(DeviceSynchronize(), kSuccess);
}

TEST(RuntimeTest, TheCpuInterfaceIsTheSameBackend) {
  using Cpu = Runtime<Device::Type::kCpu>;
  Stream stream = nullptr;
  ASSERT_EQ(Cpu::StreamCreate(&stream), kSuccess);
  EXPECT_EQ(StreamSynchronize(stream), kSuccess);
  Event start = nullptr;
  Event end = nullptr;
  ASSERT_EQ(Cpu::EventCreate(&start), kSuccess);
  ASSERT_EQ(Cpu::EventCreateWithFlags(&end, 0), kSuccess);
  EXPECT_EQ(Cpu::EventRecord(start, stream), kSuccess);
  EXPECT_EQ(Cpu::StreamWaitEvent(stream, start, 0), kSuccess);
  EXPECT_EQ(Cpu::EventRecord(end, stream), kSuccess);
  EXPECT_EQ(Cpu::EventQuery(end), kSuccess);
  EXPECT_EQ(Cpu::EventSynchronize(end), kSuccess);
  float ms = -1;
  EXPECT_EQ(Cpu::EventElapsedTime(&ms, start, end), kSuccess);
  EXPECT_GE(ms, 0);
  EXPECT_EQ(Cpu::EventDestroy(start), kSuccess);
  EXPECT_EQ(EventDestroy(end), kSuccess);
  EXPECT_EQ(Cpu::StreamSynchronize(stream), kSuccess);
  EXPECT_EQ(Cpu::StreamDestroy(stream), kSuccess);
  EXPECT_EQ(StreamSynchronize(stream), 400);
  int value = -1;
  EXPECT_EQ(Cpu::GetDevice(&value), kSuccess);
  EXPECT_EQ(Cpu::GetDeviceCount(&value), kSuccess);
  EXPECT_EQ(Cpu::SetDevice(value), 1);
  EXPECT_EQ(Cpu::DeviceSynchronize(), kSuccess);
}

TEST(RuntimeTest, TheCpuInterfaceHandlesMemory) {
  using Cpu = Runtime<Device::Type::kCpu>;
  void* device = nullptr;
  void* host = nullptr;
  void* queued = nullptr;
  ASSERT_EQ(Cpu::Malloc(&device, 8), kSuccess);
  ASSERT_EQ(Cpu::MallocHost(&host, 8), kSuccess);
  ASSERT_EQ(Cpu::MallocAsync(&queued, 8, nullptr), kSuccess);
  EXPECT_EQ(Cpu::Memset(device, 1, 8), kSuccess);
  EXPECT_EQ(Cpu::MemsetAsync(device, 2, 4, nullptr), kSuccess);
  EXPECT_EQ(Cpu::Memcpy(queued, device, 8, Cpu::kMemcpyDeviceToDevice),
            kSuccess);
  EXPECT_EQ(
      Cpu::MemcpyAsync(host, queued, 8, Cpu::kMemcpyDeviceToHost, nullptr),
      kSuccess);
  EXPECT_EQ(static_cast<char*>(host)[3], 2);
  EXPECT_EQ(static_cast<char*>(host)[4], 1);
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(Cpu::MemGetInfo(&free, &total), kSuccess);
  EXPECT_LE(free, total);
  EXPECT_EQ(Cpu::Free(device), kSuccess);
  EXPECT_EQ(Cpu::FreeHost(host), kSuccess);
  EXPECT_EQ(Cpu::FreeAsync(queued, nullptr), kSuccess);
}

}  // namespace
}  // namespace infini::rt::runtime
