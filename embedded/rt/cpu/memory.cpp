#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "embedded/rt/cpu/backend.h"

namespace infini::rt::cpu {

using core::kInvalidHandle;
using core::kInvalidValue;
using core::kMemoryAllocation;
using core::kSuccess;

namespace {

constexpr std::size_t kAlignment = 64;
constexpr int kLastMemcpyKind = 3;

bool valid_copy(const void* to, const void* from, std::size_t size, int kind) {
  return kind >= 0 && kind <= kLastMemcpyKind &&
         (size == 0 || (to != nullptr && from != nullptr));
}

bool valid_fill(const void* block, std::size_t size) {
  return size == 0 || block != nullptr;
}

}  // namespace

// Plain malloc: glibc's aligned allocations bypass its per-thread cache, and a
// small one then costs up to half a microsecond.
Error CpuBackend::allocate(void** block, std::size_t size) {
  if (block == nullptr) {
    return kInvalidValue;
  }
  *block = size > total_memory_ ? nullptr : std::malloc(size == 0 ? 1 : size);
  return *block == nullptr ? kMemoryAllocation : kSuccess;
}

Error CpuBackend::allocate_host(void** block, std::size_t size) {
  if (block == nullptr) {
    return kInvalidValue;
  }
  const std::size_t units =
      size / kAlignment + (size % kAlignment != 0 || size == 0 ? 1 : 0);
  *block = size > total_memory_
               ? nullptr
               : std::aligned_alloc(kAlignment, units * kAlignment);
  return *block == nullptr ? kMemoryAllocation : kSuccess;
}

Error CpuBackend::allocate_async(void** block, std::size_t size, void* stream) {
  return find_stream(stream) == nullptr ? kInvalidHandle
                                        : allocate(block, size);
}

Error CpuBackend::release(void* block) {
  std::free(block);
  return kSuccess;
}

Error CpuBackend::release_host(void* block) {
  return release(block);
}

Error CpuBackend::release_async(void* block, void* stream) {
  core::Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle
                          : found->run([&] { std::free(block); });
}

Error CpuBackend::copy(void* to, const void* from, std::size_t size, int kind) {
  if (!valid_copy(to, from, size, kind)) {
    return kInvalidValue;
  }
  if (size != 0) {
    std::memcpy(to, from, size);
  }
  return kSuccess;
}

Error CpuBackend::copy_async(
    void* to, const void* from, std::size_t size, int kind, void* stream) {
  if (!valid_copy(to, from, size, kind)) {
    return kInvalidValue;
  }
  core::Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle
                          : found->run([&] { copy(to, from, size, kind); });
}

Error CpuBackend::fill(void* block, int value, std::size_t size) {
  if (!valid_fill(block, size)) {
    return kInvalidValue;
  }
  if (size != 0) {
    std::memset(block, value, size);
  }
  return kSuccess;
}

Error CpuBackend::fill_async(void* block,
                             int value,
                             std::size_t size,
                             void* stream) {
  if (!valid_fill(block, size)) {
    return kInvalidValue;
  }
  core::Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle
                          : found->run([&] { fill(block, value, size); });
}

}  // namespace infini::rt::cpu
