#include "csrc/memory/block_cache.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace torch_infini {
namespace {

// Note [Place of blocks]
// The bytes in front of any pointer may be read to learn whether it is ours.
// These must lie on the pointer's page, so data with a header never begins one.
// Large blocks begin 64 bytes into a page, where malloc's own large blocks do:
// two buffers of one loop whose addresses differ by 64 modulo a page make the
// loads of one wait for the stores to the other, which made copies between our
// memory and malloc's 10 to 20 % slower.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kSmallestRest = std::size_t{256} << 10;
// Of memory that the host cannot address.
constexpr std::size_t kDeviceAlignment = 512;

constexpr std::uint64_t kMagic = 0x696e66696e69626cULL;

// The last of the kBlockAlignment bytes in front of data. Stays as it is when
// the block is given back, so a block that is used again touches no memory but
// its record.
struct Header {
  Block* block;
  std::uint64_t mark;
};

Header* header_of(void* data) {
  return static_cast<Header*>(data) - 1;
}

std::uint64_t mark_of(const void* data) {
  return kMagic ^ reinterpret_cast<std::uintptr_t>(data);
}

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

char* align_up(void* pointer, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return static_cast<char*>(pointer) + (round_up(address, alignment) - address);
}

// 16 lists per power of two: the list of blocks of at least so many bytes. Of
// small sizes there are fewer.
std::size_t bin_of(std::size_t size) {
  const auto log = static_cast<std::size_t>(std::bit_width(size)) - 1;
  return log * 16 + ((size >> (log - 4)) & 15);
}

// The smallest of the four sizes per power of two that holds `nbytes`.
std::size_t small_size(std::size_t nbytes, std::size_t alignment) {
  const std::size_t size = std::max(nbytes, alignment * 4);
  if (nbytes <= alignment * 4) {
    return round_up(std::max<std::size_t>(nbytes, 1), alignment);
  }
  const auto log = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;
  return round_up(round_up(size, std::size_t{1} << (log - 2)), alignment);
}

// The best of the first blocks of a list that are large enough.
Block* best_of(Block* first, std::size_t size) {
  constexpr int kMost = 8;
  Block* best = nullptr;
  int seen = 0;
  for (Block* block = first; block != nullptr && seen < kMost;
       block = block->next_free, ++seen) {
    if (block->size >= size && (best == nullptr || block->size < best->size)) {
      best = block;
    }
  }
  return best;
}

}  // namespace

BlockCache::BlockCache(SegmentSource& source,
                       std::int8_t device,
                       bool has_headers)
    : source_(source),
      device_(device),
      header_(has_headers ? kBlockAlignment : 0) {}

Block* BlockCache::allocate(std::size_t nbytes) {
  const std::scoped_lock lock(mutex_);
  Block* block = take(nbytes);
  if (block == nullptr) {
    release_unused_locked();
    block = take(nbytes);
  }
  if (block != nullptr) {
    block->used = true;
    block->requested = nbytes;
    block->owner = nullptr;
    block->more_owners = 0;
    usage_.requested.add(nbytes);
    if (block->has_header && !block->header_written) {
      *header_of(block->data) = {block, mark_of(block->data)};
      block->header_written = true;
    }
    ++segments_[block->segment].used;
  }
  return block;
}

// AddressSanitizer may have closed what lies in front of another allocation.
__attribute__((no_sanitize("address"))) Block* BlockCache::find(
    void* data) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (address % kBlockAlignment != 0 || address % kPage == 0) {
    return nullptr;
  }
  const Header* header = header_of(data);
  if (header->mark != mark_of(data)) {
    return nullptr;
  }
  // Records are never given back.
  Block* block = header->block;
  return block->used && block->data == data ? block : nullptr;
}

Block* BlockCache::take(std::size_t nbytes) {
  return nbytes <= kSmall ? take_small(nbytes) : take_large(nbytes);
}

void BlockCache::free(Block* block) noexcept {
  const std::scoped_lock lock(mutex_);
  if (!block->retired) {
    usage_.requested.subtract(block->requested);
  }
  block->used = false;
  block->retired = false;
  Segment& segment = segments_[block->segment];
  --segment.used;
  insert(segment.small ? block : join(block));
}

void BlockCache::retire(Block* block) noexcept {
  const std::scoped_lock lock(mutex_);
  usage_.requested.subtract(block->requested);
  block->retired = true;
}

Block* BlockCache::take_small(std::size_t nbytes) {
  const std::size_t alignment =
      header_ != 0 ? kBlockAlignment : kDeviceAlignment;
  const std::size_t size = small_size(nbytes, alignment);
  const std::size_t bin = bin_of(size);
  Block*& first = small_.first[bin];
  Block* block = first;
  if (block == nullptr) {
    return cut_small(size);
  }
  first = block->next_free;
  if (first != nullptr) {
    first->previous_free = nullptr;
  }
  count(block, -1);
  return block;
}

Block* BlockCache::cut_small(std::size_t size) {
  char* place = nullptr;
  if (small_segment_ != kNoSegment) {
    place = segments_[small_segment_].cut;
    if (header_ != 0 &&
        reinterpret_cast<std::uintptr_t>(place + header_) % kPage == 0) {
      place += kBlockAlignment;
    }
  }
  if (small_segment_ == kNoSegment ||
      place + header_ + size > segments_[small_segment_].end) {
    const std::uint32_t made = add_segment(kSegment, /*small=*/true);
    if (made == kNoSegment) {
      return nullptr;
    }
    small_segment_ = made;
    place = segments_[made].cut;
  }
  Block* block =
      make_block(small_segment_, segments_[small_segment_].last, place, size);
  segments_[small_segment_].cut = place + header_ + size;
  return block;
}

Block* BlockCache::take_large(std::size_t nbytes) {
  // The next block's record begins a page.
  const std::size_t size = round_up(nbytes + header_, kPage) - header_;
  Block* block = find_large(size);
  if (block != nullptr) {
    remove(block);
  } else {
    const std::size_t least = round_up(size + header_ + kPage, kSegment);
    std::uint32_t made =
        add_segment(least <= kShared ? kLargeSegment : least, /*small=*/false);
    if (made == kNoSegment && least <= kShared) {
      made = add_segment(least, /*small=*/false);
    }
    if (made == kNoSegment) {
      return nullptr;
    }
    Segment& segment = segments_[made];
    const auto room = static_cast<std::size_t>(segment.end - segment.cut);
    const std::size_t whole = room / kPage * kPage - header_;
    block = make_block(made, nullptr, segment.cut, whole);
    segment.cut = segment.end;
  }
  split(block, size);
  return block;
}

Block* BlockCache::find_large(std::size_t size) const {
  const std::size_t begin = bin_of(size);
  for (std::size_t word = begin / 64; word < large_.filled.size(); ++word) {
    std::uint64_t bits = large_.filled[word];
    if (word == begin / 64) {
      bits &= ~std::uint64_t{0} << (begin % 64);
    }
    for (; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
      if (Block* block = best_of(large_.first[word * 64 + bit], size)) {
        return block;
      }
    }
  }
  return nullptr;
}

// Cuts what `size` leaves over off a block that is in no list.
void BlockCache::split(Block* block, std::size_t size) {
  if (block->size - size < kSmallestRest + header_) {
    return;
  }
  char* place = static_cast<char*>(block->data) + size;
  Block* rest =
      make_block(block->segment, block, place, block->size - size - header_);
  block->size = size;
  insert(rest);
}

// A free block and its free neighbours as one, which is in no list.
Block* BlockCache::join(Block* block) {
  Block* next = block->next;
  if (next != nullptr && !next->used) {
    remove(next);
    block->size += header_ + next->size;
    forget(next);
  }
  Block* previous = block->previous;
  if (previous != nullptr && !previous->used) {
    remove(previous);
    previous->size += header_ + block->size;
    forget(block);
    return previous;
  }
  return block;
}

// A record behind `previous` in the segment's chain, at its start for null.
Block* BlockCache::make_block(std::uint32_t index,
                              Block* previous,
                              char* place,
                              std::size_t size) {
  Block* block = free_record_;
  if (block != nullptr) {
    free_record_ = block->next_free;
    *block = Block();
  } else {
    block = &records_.emplace_back();
  }
  block->data = place + header_;
  block->size = size;
  block->segment = index;
  block->device = device_;
  block->has_header = header_ != 0;
  Segment& segment = segments_[index];
  Block*& next = previous != nullptr ? previous->next : segment.first;
  block->previous = previous;
  block->next = next;
  (next != nullptr ? next->previous : segment.last) = block;
  next = block;
  return block;
}

// Takes a block out of its segment's chain and ends its record.
void BlockCache::forget(Block* block) noexcept {
  Segment& segment = segments_[block->segment];
  (block->previous != nullptr ? block->previous->next : segment.first) =
      block->next;
  (block->next != nullptr ? block->next->previous : segment.last) =
      block->previous;
  recycle(block);
}

void BlockCache::recycle(Block* block) noexcept {
  block->next_free = free_record_;
  free_record_ = block;
}

// The new segment's index, or kNoSegment.
std::uint32_t BlockCache::add_segment(std::size_t nbytes, bool small) {
  auto free = std::find_if(segments_.begin(), segments_.end(), [](auto& each) {
    return each.base == nullptr;
  });
  if (free == segments_.end()) {
    segments_.emplace_back();
    free = segments_.end() - 1;
  }
  void* base = source_.allocate(nbytes);
  if (base == nullptr) {
    return kNoSegment;
  }
  usage_.reserved.add(nbytes);
  *free = Segment{};
  free->base = base;
  free->nbytes = nbytes;
  free->small = small;
  free->cut = align_up(base, header_ != 0 ? kPage : kDeviceAlignment);
  free->end = static_cast<char*>(base) + nbytes;
  return static_cast<std::uint32_t>(free - segments_.begin());
}

void BlockCache::remove_segment(Segment& segment) noexcept {
  for (Block* block = segment.first; block != nullptr;) {
    Block* next = block->next;
    remove(block);
    recycle(block);
    block = next;
  }
  if (small_segment_ != kNoSegment && &segment == &segments_[small_segment_]) {
    small_segment_ = kNoSegment;
  }
  source_.release(segment.base, segment.nbytes);
  usage_.reserved.subtract(segment.nbytes);
  segment = Segment{};
}

void BlockCache::release_unused_locked() noexcept {
  for (Segment& segment : segments_) {
    if (segment.base != nullptr && segment.used == 0) {
      remove_segment(segment);
    }
  }
}

void BlockCache::release_unused() noexcept {
  const std::scoped_lock lock(mutex_);
  release_unused_locked();
}

BlockCache::FreeLists& BlockCache::lists_of(const Block* block) noexcept {
  return segments_[block->segment].small ? small_ : large_;
}

void BlockCache::insert(Block* block) noexcept {
  const std::size_t bin = bin_of(block->size);
  FreeLists& lists = lists_of(block);
  Block*& first = lists.first[bin];
  block->next_free = first;
  block->previous_free = nullptr;
  if (first != nullptr) {
    first->previous_free = block;
  }
  first = block;
  lists.filled[bin / 64] |= std::uint64_t{1} << (bin % 64);
  count(block, 1);
}

void BlockCache::remove(Block* block) noexcept {
  const std::size_t bin = bin_of(block->size);
  FreeLists& lists = lists_of(block);
  if (block->previous_free != nullptr) {
    block->previous_free->next_free = block->next_free;
  } else {
    lists.first[bin] = block->next_free;
    if (block->next_free == nullptr) {
      lists.filled[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
    }
  }
  if (block->next_free != nullptr) {
    block->next_free->previous_free = block->previous_free;
  }
  count(block, -1);
}

void BlockCache::count(const Block* block, std::int64_t sign) noexcept {
  Unused& unused = usage_.unused;
  unused.blocks += sign;
  unused.bytes += sign * static_cast<std::int64_t>(block->size);
  unused.most_blocks = std::max(unused.most_blocks, unused.blocks);
  unused.most_bytes = std::max(unused.most_bytes, unused.bytes);
}

BlockCache::Usage BlockCache::usage() const {
  const std::scoped_lock lock(mutex_);
  return usage_;
}

void BlockCache::reset_peak() noexcept {
  const std::scoped_lock lock(mutex_);
  usage_.requested.reset_peak();
  usage_.reserved.reset_peak();
  usage_.unused.most_blocks = usage_.unused.blocks;
  usage_.unused.most_bytes = usage_.unused.bytes;
}

void BlockCache::reset_accumulated() noexcept {
  const std::scoped_lock lock(mutex_);
  usage_.requested.reset_accumulated();
  usage_.reserved.reset_accumulated();
}

std::vector<SegmentReport> BlockCache::report() const {
  const std::scoped_lock lock(mutex_);
  std::vector<SegmentReport> reports;
  for (const Segment& segment : segments_) {
    if (segment.base == nullptr) {
      continue;
    }
    SegmentReport report{reinterpret_cast<std::uintptr_t>(segment.base),
                         segment.nbytes,
                         segment.small,
                         {}};
    for (const Block* block = segment.first; block != nullptr;
         block = block->next) {
      report.blocks.push_back({reinterpret_cast<std::uintptr_t>(block->data),
                               block->size,
                               block->used ? block->requested : 0,
                               block->used});
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace torch_infini
