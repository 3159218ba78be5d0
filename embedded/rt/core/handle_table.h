// The live objects of one kind behind opaque handles.
//
// A handle names a place and the use of that place, so any bit pattern can be
// looked up: one that was never given out, or whose object is gone, finds
// nothing (until a place has been reused half a million times). Places live as
// long as the table, so an object that another thread destroys during use is
// stale but still memory.
//
// A handle looks like an address: 47 bits, a multiple of 8, never null. `tag`,
// 0 or 8, tells kinds apart.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

namespace infini::rt::core {

// T is default-constructible and has reset(arguments...) noexcept, which makes
// it new.
template <typename T, std::uintptr_t tag>
class HandleTable {
 public:
  HandleTable() = default;
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  ~HandleTable() {
    for (const std::atomic<Place*>& chunk : chunks_) {
      delete[] chunk.load(std::memory_order_relaxed);
    }
  }

  // Null when memory or places are exhausted.
  template <typename... Arguments>
  void* create(Arguments&&... arguments) noexcept {
    const std::scoped_lock lock{mutex_};
    const std::uint32_t index = take_place();
    if (index == kNone) {
      return nullptr;
    }
    Place& place = *find_place(index);
    place.value.reset(std::forward<Arguments>(arguments)...);
    const std::uint32_t use = place.use.load(std::memory_order_relaxed) + 1;
    place.use.store(use, std::memory_order_release);
    const std::uint64_t bits =
        (std::uint64_t{use & kUseMask} << kIndexBits) | index;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows a handle.
    return reinterpret_cast<void*>((bits << kTagBits) | tag);
  }

  // The object, null when there is none. Costs two loads.
  T* find(const void* handle) const noexcept {
    Place* place = find_live(handle);
    return place == nullptr ? nullptr : &place->value;
  }

  // Ends the life of an object; false when it has none or another thread was
  // first.
  bool remove(const void* handle) noexcept {
    Place* place = find_live(handle);
    if (place == nullptr) {
      return false;
    }
    std::uint32_t use = place->use.load(std::memory_order_relaxed);
    if ((use & kUseMask) != use_of(handle) ||
        !place->use.compare_exchange_strong(
            use, use + 1, std::memory_order_acq_rel)) {
      return false;
    }
    const std::scoped_lock lock{mutex_};
    place->next_free = first_free_;
    first_free_ = index_of(handle);
    return true;
  }

  // Calls function(object) for each object that is live when its turn comes.
  template <typename Function>
  void for_each(Function&& function) {
    const std::uint32_t end = end_.load(std::memory_order_acquire);
    for (std::uint32_t index = 0; index < end; ++index) {
      Place& place = *find_place(index);
      if ((place.use.load(std::memory_order_acquire) & 1U) != 0) {
        function(place.value);
      }
    }
  }

 private:
  struct Place {
    std::atomic<std::uint32_t> use{0};  // odd while an object lives here
    std::uint32_t next_free = kNone;
    T value;
  };

  static constexpr unsigned kTagBits = 4;
  static constexpr unsigned kIndexBits = 22;
  static constexpr unsigned kUseBits = 20;
  static constexpr std::uint32_t kUseMask = (1U << kUseBits) - 1U;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  // Chunk c holds kFirstChunk << c places.
  static constexpr std::uint32_t kFirstChunk = 64;
  static constexpr unsigned kFirstChunkBits = 6;
  static constexpr unsigned kChunks = kIndexBits - kFirstChunkBits;
  static constexpr std::uint32_t kCapacity =
      kFirstChunk * ((1U << kChunks) - 1U);

  static std::uintptr_t bits_of(const void* handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle);
  }

  static std::uint32_t index_of(const void* handle) noexcept {
    return static_cast<std::uint32_t>(bits_of(handle) >> kTagBits) &
           ((1U << kIndexBits) - 1U);
  }

  static std::uint32_t use_of(const void* handle) noexcept {
    return static_cast<std::uint32_t>(bits_of(handle) >>
                                      (kTagBits + kIndexBits));
  }

  Place* find_place(std::uint32_t index) const noexcept {
    const std::uint32_t shifted = index + kFirstChunk;
    const auto chunk =
        static_cast<unsigned>(std::bit_width(shifted)) - 1 - kFirstChunkBits;
    if (chunk >= kChunks) {
      return nullptr;
    }
    Place* places = chunks_[chunk].load(std::memory_order_acquire);
    return places == nullptr ? nullptr
                             : places + (shifted - (kFirstChunk << chunk));
  }

  Place* find_live(const void* handle) const noexcept {
    const std::uintptr_t bits = bits_of(handle);
    const bool wrong_kind = (bits & ((1U << kTagBits) - 1U)) != tag;
    if (wrong_kind || bits >> (kTagBits + kIndexBits + kUseBits) != 0) {
      return nullptr;
    }
    Place* place = find_place(index_of(handle));
    if (place == nullptr || (use_of(handle) & 1U) == 0) {
      return nullptr;
    }
    const std::uint32_t use =
        place->use.load(std::memory_order_acquire) & kUseMask;
    return use == use_of(handle) ? place : nullptr;
  }

  std::uint32_t take_place() noexcept {
    if (first_free_ != kNone) {
      return std::exchange(first_free_, find_place(first_free_)->next_free);
    }
    const std::uint32_t index = end_.load(std::memory_order_relaxed);
    if (index == kCapacity) {
      return kNone;
    }
    if (find_place(index) == nullptr) {
      const auto chunk =
          static_cast<unsigned>(std::bit_width(index + kFirstChunk)) - 1 -
          kFirstChunkBits;
      auto* places =
          new (std::nothrow) Place[std::size_t{kFirstChunk} << chunk];
      if (places == nullptr) {
        return kNone;
      }
      chunks_[chunk].store(places, std::memory_order_release);
    }
    end_.store(index + 1, std::memory_order_release);
    return index;
  }

  std::mutex mutex_;
  std::uint32_t first_free_ = kNone;
  std::atomic<std::uint32_t> end_{0};
  std::array<std::atomic<Place*>, kChunks> chunks_{};
};

}  // namespace infini::rt::core
