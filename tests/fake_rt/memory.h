// The memory of the fake devices, and pinned host memory.
//
// Each device has one file in memory that is mapped twice: closed (no access)
// and open. Blocks are handed out in the open mapping when the host may access
// device memory, in the closed one otherwise; only this class translates. Freed
// device memory is filled with 0xdd. All functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "embedded/rt/core/error.h"

namespace fake_rt {

using infini::rt::core::Error;

// `size` bytes that a task was given. `block` is the identity of the live block
// around them, 0 for other host memory.
struct Range {
  std::byte* open;
  std::size_t size;
  std::uint64_t block;
};

class Memory {
 public:
  Memory();

  Error allocate(int device, void** block, std::size_t size);
  // Null does nothing; kInvalidValue for what is not the start of a live block.
  Error release(void* block);

  Error allocate_host(void** block, std::size_t size);
  Error release_host(void* block);

  // kInvalidValue for device addresses that do not lie in one live block.
  Error find(const void* address, std::size_t size, Range* range);

  // Both check that the blocks of their ranges still live, and count a
  // violation when not.
  void copy(const Range& to, const Range& from);
  void fill(const Range& range, int value);

  void info(int device, std::size_t* free, std::size_t* total);

  std::uint64_t live_blocks();
  std::uint64_t violations();

 private:
  struct Block {
    std::size_t size;
    std::uint64_t identity;
  };

  struct Arena {
    std::byte* open;
    std::byte* closed;
    std::map<std::size_t, Block> blocks;  // by offset
    std::size_t used;
  };

  bool alive(const Range& range) const;

  std::mutex mutex_;
  std::vector<Arena> arenas_;
  std::map<std::byte*, Block> host_blocks_;
  std::set<std::uint64_t> alive_;  // identities of live blocks
  std::uint64_t last_identity_ = 0;
  std::uint64_t violations_ = 0;
};

}  // namespace fake_rt
