// Memory of one device that is kept for reuse.
//
// Note [Block cache]
// The cache takes segments from the runtime and cuts blocks out of them. Blocks
// up to kSmall bytes have one of four sizes per power of two; each size has a
// list of free blocks, and a segment is cut as far as it was needed. Larger
// blocks are taken from the free block that fits best, what is left over stays
// a free block, and neighbours that are free become one. Segments without a
// block in use go back to the runtime when it has no more memory, or when asked
// for.
//
// Records of blocks lie together, apart from the memory that they describe: the
// search for a block touches no page but theirs. Where the host can address the
// memory a header in front of a block's data leads to its record, so a block is
// found by its data pointer alone; data then never begins a page (see Note
// [Place of blocks]).
//
// Knows neither PyTorch nor streams: a block that is given back may be given
// out again at once. Any thread; one lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "csrc/memory/counter.h"
#include "csrc/memory/light_mutex.h"

namespace torch_infini {

inline constexpr std::size_t kBlockAlignment = 64;

// Where segments come from. Called with the cache's lock held.
class SegmentSource {
 public:
  SegmentSource() = default;
  SegmentSource(const SegmentSource&) = delete;
  SegmentSource& operator=(const SegmentSource&) = delete;
  SegmentSource(SegmentSource&&) = delete;
  SegmentSource& operator=(SegmentSource&&) = delete;
  virtual ~SegmentSource() = default;

  // Null where there is no more memory.
  virtual void* allocate(std::size_t nbytes) = 0;
  virtual void release(void* base, std::size_t nbytes) noexcept = 0;
};

struct Block {
  void* data = nullptr;
  std::size_t size = 0;  // bytes that belong to the block

  union {
    std::size_t requested;  // bytes, of a block in use
    Block* next_free;
  };

  union {
    void* owner;  // whatever the user of the cache keeps with a block in use
    Block* previous_free;
  };

  // Neighbours in the segment, by address.
  Block* previous = nullptr;
  Block* next = nullptr;
  std::uint32_t segment = 0;
  // Owners of a block in use besides the first; for std::atomic_ref.
  std::int32_t more_owners = 0;
  std::int8_t device = 0;
  bool has_header = false;
  bool header_written = false;
  bool used = false;
  bool retired = false;

  Block() : requested(0), owner(nullptr) {}
};

// What a block or a segment looks like from outside.
struct BlockReport {
  std::uintptr_t address;
  std::size_t size;
  std::size_t requested;
  bool used;
};

struct SegmentReport {
  std::uintptr_t address;
  std::size_t size;
  bool small;
  std::vector<BlockReport> blocks;
};

class BlockCache {
 public:
  static constexpr std::size_t kSmall = (std::size_t{256} << 10) - 64;
  static constexpr std::size_t kSegment = std::size_t{2} << 20;
  // Large blocks up to kShared bytes share segments of kLargeSegment.
  static constexpr std::size_t kShared = std::size_t{10} << 20;
  static constexpr std::size_t kLargeSegment = std::size_t{20} << 20;

  // Free blocks of segments that are in use otherwise: what fragmentation
  // costs.
  struct Unused {
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;
    std::int64_t most_blocks = 0;
    std::int64_t most_bytes = 0;
  };

  struct Usage {
    Counter requested;  // blocks in use, by what was asked for
    Counter reserved;   // segments
    Unused unused;
  };

  // The source must outlive the cache.
  BlockCache(SegmentSource& source, std::int8_t device, bool has_headers);

  // A block of at least `nbytes`, from 1 to kLargest. Null where the source has
  // no more, also after everything that is not in use was given back to it.
  Block* allocate(std::size_t nbytes);
  void free(Block* block) noexcept;
  // Counts a block as given back that must wait before it can be freed.
  void retire(Block* block) noexcept;

  // The block in use with this data, of any cache whose blocks have headers;
  // null for other pointers. Reads the bytes in front of them, on the same
  // page.
  static Block* find(void* data) noexcept;

  // Gives segments without a block in use back.
  void release_unused() noexcept;

  Usage usage() const;
  void reset_peak() noexcept;
  void reset_accumulated() noexcept;
  std::vector<SegmentReport> report() const;

  // What may be asked for at most.
  static constexpr std::size_t kLargest = std::size_t{1} << 47;

 private:
  static constexpr std::size_t kBins = 768;  // below 2^48, 16 each
  static constexpr std::uint32_t kNoSegment = 0xFFFFFFFF;

  struct Segment {
    void* base = nullptr;  // null: free for another segment
    std::size_t nbytes = 0;
    bool small = false;
    std::size_t used = 0;  // blocks
    Block* first = nullptr;
    Block* last = nullptr;
    char* cut = nullptr;  // small: the memory behind the last block
    char* end = nullptr;
  };

  // Free blocks by size.
  struct FreeLists {
    std::array<Block*, kBins> first{};
    std::array<std::uint64_t, kBins / 64>
        filled{};  // bits of lists with blocks
  };

  Block* take(std::size_t nbytes);
  Block* take_small(std::size_t nbytes);
  Block* take_large(std::size_t nbytes);
  Block* cut_small(std::size_t size);
  Block* find_large(std::size_t size) const;
  void split(Block* block, std::size_t size);
  Block* join(Block* block);
  Block* make_block(std::uint32_t segment,
                    Block* previous,
                    char* place,
                    std::size_t size);
  void forget(Block* block) noexcept;
  void recycle(Block* block) noexcept;
  std::uint32_t add_segment(std::size_t nbytes, bool small);
  void remove_segment(Segment& segment) noexcept;
  void release_unused_locked() noexcept;
  void insert(Block* block) noexcept;
  void remove(Block* block) noexcept;
  FreeLists& lists_of(const Block* block) noexcept;
  void count(const Block* block, std::int64_t sign) noexcept;

  SegmentSource& source_;
  std::int8_t device_;
  std::size_t header_;  // bytes in front of data
  mutable LightMutex mutex_;
  std::vector<Segment> segments_;
  std::deque<Block> records_;
  Block* free_record_ = nullptr;              // chained by next_free
  std::uint32_t small_segment_ = kNoSegment;  // the one that is being cut
  FreeLists small_;
  FreeLists large_;
  Usage usage_;
};

}  // namespace torch_infini
