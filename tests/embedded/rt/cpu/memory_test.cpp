#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <infini/rt.h>

namespace infini::rt::runtime {
namespace {

using Allocate = Error (*)(void**, std::size_t);
using Release = Error (*)(void*);

struct Kind {
  Allocate allocate;
  Release release;
  std::size_t alignment;
};

const Kind kKinds[] = {
    {Malloc, Free, alignof(std::max_align_t)},
    {MallocHost, FreeHost, 64},
    {[](void** ptr, std::size_t size) {
       return MallocAsync(ptr, size, nullptr);
     },
     [](void* ptr) { return FreeAsync(ptr, nullptr); },
     alignof(std::max_align_t)},
};

TEST(MemoryTest, BlocksAreAlignedAndWritable) {
  for (const Kind& kind : kKinds) {
    for (const std::size_t size : {0, 1, 63, 64, 65, 4097, 1 << 22}) {
      void* first = nullptr;
      void* second = nullptr;
      ASSERT_EQ(kind.allocate(&first, size), kSuccess);
      ASSERT_EQ(kind.allocate(&second, size), kSuccess);
      ASSERT_NE(first, nullptr);
      EXPECT_NE(first, second);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % kind.alignment, 0U);
      std::memset(first, 1, size);
      EXPECT_EQ(kind.release(first), kSuccess);
      EXPECT_EQ(kind.release(second), kSuccess);
    }
    EXPECT_EQ(kind.release(nullptr), kSuccess);
    EXPECT_EQ(kind.allocate(nullptr, 8), 1);
  }
}

TEST(MemoryTest, HugeSizesFail) {
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(MemGetInfo(&free, &total), kSuccess);
  constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();
  for (const Kind& kind : kKinds) {
    for (const std::size_t size :
         {kMax, kMax - 62, kMax / 2, kMax / 2 + 1, 2 * total}) {
      void* block = &free;
      EXPECT_EQ(kind.allocate(&block, size), 2) << size;
      EXPECT_EQ(block, nullptr) << size;
    }
  }
}

TEST(MemoryTest, InfoNeedsBothAddresses) {
  std::size_t value = 0;
  EXPECT_EQ(MemGetInfo(nullptr, &value), 1);
  EXPECT_EQ(MemGetInfo(&value, nullptr), 1);
  EXPECT_EQ(value, 0U);
}

TEST(MemoryTest, CopiesAndFills) {
  Stream stream = nullptr;
  ASSERT_EQ(StreamCreate(&stream), kSuccess);
  std::vector<unsigned char> from(1000);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<unsigned char>(i * 7);
  }
  for (MemcpyKind kind = kMemcpyHostToHost; kind <= kMemcpyDeviceToDevice;
       ++kind) {
    std::vector<unsigned char> to(1000);
    EXPECT_EQ(Memcpy(to.data(), from.data(), 1000, kind), kSuccess);
    EXPECT_EQ(to, from);
    EXPECT_EQ(Memset(to.data(), 0x1ff, 999), kSuccess);
    EXPECT_EQ(to[998], 0xff);
    EXPECT_EQ(to[999], from[999]);
    EXPECT_EQ(MemcpyAsync(to.data(), from.data(), 999, kind, stream), kSuccess);
    EXPECT_EQ(StreamSynchronize(stream), kSuccess);
    EXPECT_EQ(to, from);
    EXPECT_EQ(MemsetAsync(to.data(), 3, 1000, stream), kSuccess);
    EXPECT_EQ(StreamSynchronize(stream), kSuccess);
    EXPECT_EQ(to, std::vector<unsigned char>(1000, 3));
  }
  EXPECT_EQ(StreamDestroy(stream), kSuccess);
}

TEST(MemoryTest, RejectsBadCopiesBeforeWriting) {
  char a[4] = {1, 1, 1, 1};
  const char b[4] = {2, 2, 2, 2};
  for (const MemcpyKind kind : {-1, 4, 99}) {
    EXPECT_EQ(Memcpy(a, b, 4, kind), 1);
    EXPECT_EQ(MemcpyAsync(a, b, 4, kind, nullptr), 1);
  }
  EXPECT_EQ(Memcpy(nullptr, b, 4, kMemcpyHostToHost), 1);
  EXPECT_EQ(Memcpy(a, nullptr, 4, kMemcpyHostToHost), 1);
  EXPECT_EQ(MemcpyAsync(nullptr, b, 4, kMemcpyHostToHost, nullptr), 1);
  EXPECT_EQ(Memset(nullptr, 0, 4), 1);
  EXPECT_EQ(MemsetAsync(nullptr, 0, 4, nullptr), 1);
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(Memcpy(nullptr, nullptr, 0, kMemcpyHostToHost), kSuccess);
  EXPECT_EQ(MemcpyAsync(nullptr, nullptr, 0, kMemcpyHostToHost, nullptr),
            kSuccess);
  EXPECT_EQ(Memset(nullptr, 0, 0), kSuccess);
  EXPECT_EQ(MemsetAsync(nullptr, 0, 0, nullptr), kSuccess);
}

TEST(MemoryTest, RejectsAMissingStream) {
  Stream stream = nullptr;
  ASSERT_EQ(StreamCreate(&stream), kSuccess);
  ASSERT_EQ(StreamDestroy(stream), kSuccess);
  char a[4] = {1, 1, 1, 1};
  const char b[4] = {2, 2, 2, 2};
  void* block = nullptr;
  EXPECT_EQ(MemcpyAsync(a, b, 4, kMemcpyHostToHost, stream), 400);
  EXPECT_EQ(MemsetAsync(a, 2, 4, stream), 400);
  EXPECT_EQ(MallocAsync(&block, 4, stream), 400);
  EXPECT_EQ(block, nullptr);
  ASSERT_EQ(Malloc(&block, 4), kSuccess);
  EXPECT_EQ(FreeAsync(block, stream), 400);
  EXPECT_EQ(Free(block), kSuccess);
  EXPECT_EQ(a[0], 1);
}

TEST(MemoryTest, AnotherThreadMayRelease) {
  void* block = nullptr;
  ASSERT_EQ(Malloc(&block, 100), kSuccess);
  Error error = 1;
  std::thread{[&] { error = Free(block); }}.join();
  EXPECT_EQ(error, kSuccess);
}

}  // namespace
}  // namespace infini::rt::runtime
