// The program's operator new: blocks of fixed sizes, kept in lists per thread.
//
// The program makes millions of small strings and ends soon after, so memory
// goes back to the system at the end only, and large regions are asked for
// which the system may back with large pages. A block that another thread frees
// stays with that thread. Blocks of more than kLargest bytes come from malloc.
//
// Not linked where a sanitizer watches the heap.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <malloc.h>
#include <sys/mman.h>

namespace {

// Before each block stands the number of its class; 0 says malloc.
constexpr std::size_t kHeader = sizeof(std::uint64_t);
constexpr std::size_t kUnit = 16;
constexpr std::size_t kSmall = 1024;
constexpr std::size_t kLargest = std::size_t{32} * 1024;
// Sizes above kSmall go up in eighths of a power of two.
constexpr std::size_t kSteps = 8;
constexpr std::size_t kClasses =
    kSmall / kUnit + 1 +
    kSteps * static_cast<std::size_t>(std::bit_width(kLargest / kSmall));
constexpr std::size_t kPage = std::size_t{2} * 1024 * 1024;
constexpr std::size_t kRegion = 16 * kPage;

// What malloc may grow to in large pages.
constexpr std::size_t kHeap = 64 * kPage;

// Blocks from malloc lie in one heap that is grown at once and never shrinks.
[[gnu::constructor]] void prepare_malloc() {
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(kHeap));
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(kHeap));
  ::mallopt(M_TOP_PAD, static_cast<int>(kHeap));
  ::mallopt(M_ARENA_MAX, 1);
  void* const block = std::malloc(kPage);
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t skip = (kPage - address % kPage) % kPage;
  ::madvise(static_cast<char*>(block) + skip, kHeap - kPage, MADV_HUGEPAGE);
  std::free(block);
}

struct Free {
  Free* next;
};

struct Cache {
  std::array<Free*, kClasses> lists;
  char* begin;
  std::size_t left;
};

constinit thread_local Cache cache{};

struct Class {
  std::size_t number;
  std::size_t size;  // with the header
};

Class class_of(std::size_t size) {
  if (size <= kSmall) {
    const std::size_t units = (size + kUnit - 1) / kUnit;
    return {units, units * kUnit};
  }
  const auto power = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;
  const std::size_t base = std::size_t{1} << power;
  const std::size_t step = base / kSteps;
  const std::size_t steps = (size - base + step - 1) / step;
  const auto first = static_cast<std::size_t>(std::bit_width(kSmall)) - 1;
  return {kSmall / kUnit + kSteps * (power - first) + steps,
          base + steps * step};
}

// What remains of the old region is lost; it was never touched.
bool add_region() {
  void* const memory = ::mmap(nullptr,
                              kRegion + kPage,
                              PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                              -1,
                              0);
  if (memory == MAP_FAILED) {
    return false;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skip = (kPage - address % kPage) % kPage;
  char* const aligned = static_cast<char*>(memory) + skip;
  ::madvise(aligned, kRegion, MADV_HUGEPAGE);
  // Blocks begin where the bytes after their header are aligned.
  cache.begin = aligned + kUnit - kHeader;
  cache.left = kRegion - (kUnit - kHeader);
  return true;
}

void* with_header(char* block, std::size_t number) {
  *reinterpret_cast<std::uint64_t*>(block) = number;
  return block + kHeader;
}

void* allocate_large(std::size_t size) {
  if (size > SIZE_MAX - kUnit) {
    return nullptr;
  }
  auto* const memory = static_cast<char*>(std::malloc(size + kUnit));
  return memory == nullptr ? nullptr : with_header(memory + kUnit - kHeader, 0);
}

void* allocate(std::size_t size) {
  if (size > kLargest - kHeader) {
    return allocate_large(size);
  }
  const Class wanted = class_of(size + kHeader);
  Free*& list = cache.lists[wanted.number];
  if (list != nullptr) {
    void* const memory = list;
    list = list->next;
    return memory;
  }
  if (cache.left < wanted.size && !add_region()) {
    return nullptr;
  }
  char* const block = cache.begin;
  cache.begin += wanted.size;
  cache.left -= wanted.size;
  return with_header(block, wanted.number);
}

void release(void* memory) {
  if (memory == nullptr) {
    return;
  }
  char* const block = static_cast<char*>(memory) - kHeader;
  const std::uint64_t number = *reinterpret_cast<std::uint64_t*>(block);
  if (number == 0) {
    std::free(block - (kUnit - kHeader));
    return;
  }
  auto* const free = static_cast<Free*>(memory);
  free->next = cache.lists[number];
  cache.lists[number] = free;
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = allocate(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void* operator new[](std::size_t size) {
  return operator new(size);
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}

void operator delete(void* memory) noexcept {
  release(memory);
}

void operator delete[](void* memory) noexcept {
  release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}

void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
