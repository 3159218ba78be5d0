#include "tests/fake_rt/memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "embedded/extension.h"
#include "tests/fake_rt/settings.h"

namespace fake_rt {

using infini::rt::core::kInvalidValue;
using infini::rt::core::kMemoryAllocation;
using infini::rt::core::kSuccess;

namespace {

constexpr std::size_t kAlignment = 512;
constexpr std::size_t kHostAlignment = 64;

std::size_t round_up(std::size_t size, std::size_t alignment) {
  return (std::max<std::size_t>(size, 1) + alignment - 1) / alignment *
         alignment;
}

std::byte* map(int file, std::size_t size, int protection) {
  void* mapping =
      mmap(nullptr, size, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (mapping == MAP_FAILED) {
    std::perror("fake runtime: mmap");
    std::abort();
  }
  return static_cast<std::byte*>(mapping);
}

bool contains(const std::byte* start,
              std::size_t size,
              const std::byte* address) {
  return address >= start && address < start + size;
}

}  // namespace

Memory::Memory() {
  const std::size_t size = settings().memory;
  for (int device = 0; device < settings().devices; ++device) {
    const int file = memfd_create("fake_rt", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
      std::perror("fake runtime: memfd");
      std::abort();
    }
    arenas_.push_back({map(file, size, PROT_READ | PROT_WRITE),
                       map(file, size, PROT_NONE),
                       {},
                       0});
    close(file);
  }
}

Error Memory::allocate(int device, void** block, std::size_t size) {
  const std::scoped_lock lock{mutex_};
  *block = nullptr;
  if (size > settings().memory) {
    return kMemoryAllocation;
  }
  Arena& arena = arenas_[static_cast<std::size_t>(device)];
  const std::size_t taken = round_up(size, kAlignment);
  std::size_t offset = 0;
  for (const auto& [start, other] : arena.blocks) {
    if (start - offset >= taken) {
      break;
    }
    offset = start + round_up(other.size, kAlignment);
  }
  if (offset > settings().memory || settings().memory - offset < taken) {
    return kMemoryAllocation;
  }
  arena.blocks[offset] = {size, ++last_identity_};
  arena.used += taken;
  alive_.insert(last_identity_);
  *block =
      (capable(infini_extension::kHostAccess) ? arena.open : arena.closed) +
      offset;
  return kSuccess;
}

Error Memory::release(void* block) {
  if (block == nullptr) {
    return kSuccess;
  }
  const std::scoped_lock lock{mutex_};
  const auto* address = static_cast<const std::byte*>(block);
  for (Arena& arena : arenas_) {
    for (const std::byte* start : {arena.open, arena.closed}) {
      if (!contains(start, settings().memory, address)) {
        continue;
      }
      const auto found =
          arena.blocks.find(static_cast<std::size_t>(address - start));
      if (found == arena.blocks.end()) {
        return kInvalidValue;
      }
      std::memset(arena.open + found->first, 0xdd, found->second.size);
      arena.used -= round_up(found->second.size, kAlignment);
      alive_.erase(found->second.identity);
      arena.blocks.erase(found);
      return kSuccess;
    }
  }
  return kInvalidValue;
}

Error Memory::allocate_host(void** block, std::size_t size) {
  const std::scoped_lock lock{mutex_};
  *block = nullptr;
  if (size > settings().memory) {
    return kMemoryAllocation;
  }
  auto* start = static_cast<std::byte*>(
      std::aligned_alloc(kHostAlignment, round_up(size, kHostAlignment)));
  if (start == nullptr) {
    return kMemoryAllocation;
  }
  host_blocks_[start] = {size, ++last_identity_};
  alive_.insert(last_identity_);
  *block = start;
  return kSuccess;
}

Error Memory::release_host(void* block) {
  if (block == nullptr) {
    return kSuccess;
  }
  const std::scoped_lock lock{mutex_};
  const auto found = host_blocks_.find(static_cast<std::byte*>(block));
  if (found == host_blocks_.end()) {
    return kInvalidValue;
  }
  alive_.erase(found->second.identity);
  std::free(found->first);
  host_blocks_.erase(found);
  return kSuccess;
}

Error Memory::find(const void* address, std::size_t size, Range* range) {
  const std::scoped_lock lock{mutex_};
  auto* bytes = static_cast<std::byte*>(const_cast<void*>(address));
  *range = {bytes, size, 0};
  for (Arena& arena : arenas_) {
    for (const std::byte* start : {arena.open, arena.closed}) {
      if (!contains(start, settings().memory, bytes)) {
        continue;
      }
      const auto offset = static_cast<std::size_t>(bytes - start);
      auto found = arena.blocks.upper_bound(offset);
      if (found == arena.blocks.begin()) {
        return kInvalidValue;
      }
      --found;
      const std::size_t inside = offset - found->first;
      if (inside > found->second.size || found->second.size - inside < size) {
        return kInvalidValue;
      }
      *range = {arena.open + offset, size, found->second.identity};
      return kSuccess;
    }
  }
  auto found = host_blocks_.upper_bound(bytes);
  if (found != host_blocks_.begin()) {
    --found;
    if (contains(found->first,
                 std::max<std::size_t>(found->second.size, 1),
                 bytes)) {
      range->block = found->second.identity;
    }
  }
  return kSuccess;
}

bool Memory::alive(const Range& range) const {
  return range.block == 0 || alive_.count(range.block) != 0;
}

void Memory::copy(const Range& to, const Range& from) {
  const std::scoped_lock lock{mutex_};
  if (!alive(to) || !alive(from)) {
    ++violations_;
  } else if (from.size != 0) {
    std::memcpy(to.open, from.open, from.size);
  }
}

void Memory::fill(const Range& range, int value) {
  const std::scoped_lock lock{mutex_};
  if (!alive(range)) {
    ++violations_;
  } else if (range.size != 0) {
    std::memset(range.open, value, range.size);
  }
}

void Memory::info(int device, std::size_t* free, std::size_t* total) {
  const std::scoped_lock lock{mutex_};
  *total = settings().memory;
  *free = settings().memory - arenas_[static_cast<std::size_t>(device)].used;
}

std::uint64_t Memory::live_blocks() {
  const std::scoped_lock lock{mutex_};
  return alive_.size();
}

std::uint64_t Memory::violations() {
  const std::scoped_lock lock{mutex_};
  return violations_;
}

}  // namespace fake_rt
