#include "csrc/memory/block_cache.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace torch_infini {
namespace {

class Segments final : public SegmentSource {
 public:
  Segments() = default;
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  Segments(Segments&&) = delete;
  Segments& operator=(Segments&&) = delete;

  void* allocate(std::size_t nbytes) override {
    if (held + nbytes > limit) {
      return nullptr;
    }
    held += nbytes;
    most = std::max(most, held);
    ++count;
    void* base = std::malloc(nbytes);
    bases[base] = nbytes;
    return base;
  }

  void release(void* base, std::size_t nbytes) noexcept override {
    EXPECT_EQ(bases[base], nbytes);
    bases.erase(base);
    held -= nbytes;
    std::free(base);
  }

  ~Segments() override {
    for (const auto& [base, nbytes] : bases) {
      std::free(base);
    }
  }

  std::size_t held = 0;
  std::size_t most = 0;
  std::size_t limit = std::size_t{1} << 40;
  int count = 0;
  std::map<void*, std::size_t> bases;
};

class BlockCacheTest : public testing::TestWithParam<bool> {
 protected:
  void TearDown() override { cache.release_unused(); }

  Segments segments;
  BlockCache cache{segments, 3, GetParam()};
};

bool fits(const SegmentReport& segment) {
  std::uintptr_t end = segment.address;
  for (const BlockReport& block : segment.blocks) {
    if (block.address < end || block.requested > block.size) {
      return false;
    }
    end = block.address + block.size;
  }
  return end <= segment.address + segment.size;
}

TEST_P(BlockCacheTest, BlocksAreAlignedAndApart) {
  std::vector<Block*> blocks;
  for (std::size_t size = 1; size < (std::size_t{5} << 20);
       size += size / 3 + 1) {
    Block* block = cache.allocate(size);
    ASSERT_NE(block, nullptr);
    EXPECT_GE(block->size, size);
    EXPECT_EQ(block->requested, size);
    EXPECT_EQ(block->device, 3);
    const auto address = reinterpret_cast<std::uintptr_t>(block->data);
    EXPECT_EQ(address % (GetParam() ? 64 : 512), 0U);
    if (GetParam()) {
      EXPECT_NE(address % 4096, 0U);
      EXPECT_EQ(BlockCache::find(block->data), block);
    }
    std::memset(block->data, 0xAB, size);
    blocks.push_back(block);
  }
  const auto report = cache.report();
  EXPECT_TRUE(std::all_of(report.begin(), report.end(), fits));
  for (Block* block : blocks) {
    cache.free(block);
  }
  cache.release_unused();
  EXPECT_EQ(segments.held, 0U);
  EXPECT_TRUE(cache.report().empty());
}

TEST_P(BlockCacheTest, FindsBlocksInUseByTheirData) {
  alignas(64) char other[256] = {};
  EXPECT_EQ(BlockCache::find(other + 64), nullptr);
  EXPECT_EQ(BlockCache::find(other + 65), nullptr);
  if (!GetParam()) {
    return;
  }
  Block* block = cache.allocate(1000);
  auto* data = static_cast<char*>(block->data);
  std::memset(data, 0, 1000);
  EXPECT_EQ(BlockCache::find(data), block);
  EXPECT_EQ(BlockCache::find(data + 64), nullptr);
  cache.free(block);
  EXPECT_EQ(BlockCache::find(data), nullptr);
  EXPECT_EQ(cache.allocate(1000), block);
  EXPECT_EQ(BlockCache::find(data), block);
  cache.free(block);
}

TEST_P(BlockCacheTest, MemoryIsUsedAgain) {
  for (const std::size_t size : {std::size_t{100},
                                 std::size_t{5000},
                                 std::size_t{300} << 10,
                                 std::size_t{64} << 20}) {
    Block* first = cache.allocate(size);
    void* data = first->data;
    cache.free(first);
    Block* second = cache.allocate(size - size / 50);
    EXPECT_EQ(second->data, data) << size;
    cache.free(second);
  }
}

TEST_P(BlockCacheTest, LargeBlocksAreCutAndJoined) {
  const std::size_t mb = std::size_t{1} << 20;
  Block* whole = cache.allocate(64 * mb);
  cache.free(whole);
  std::vector<Block*> parts;
  for (int i = 0; i < 6; ++i) {
    parts.push_back(cache.allocate(10 * mb));
  }
  EXPECT_EQ(segments.count, 1);
  // Every second one first, so that both neighbours are free at the end.
  for (const std::size_t i : {0, 2, 4, 1, 3, 5}) {
    cache.free(parts[i]);
  }
  EXPECT_EQ(cache.usage().unused.blocks, 1);
  Block* again = cache.allocate(64 * mb);
  EXPECT_EQ(segments.count, 1);
  cache.free(again);
}

TEST_P(BlockCacheTest, GivesBackBeforeItGivesUp) {
  const std::size_t mb = std::size_t{1} << 20;
  segments.limit = 100 * mb;
  Block* kept = cache.allocate(20 * mb);
  cache.free(cache.allocate(70 * mb));
  EXPECT_GE(segments.held, 90 * mb);
  // 70 MB lie idle; 75 fit only once these are given back.
  Block* large = cache.allocate(75 * mb);
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(cache.allocate(10 * mb), nullptr);
  EXPECT_EQ(cache.allocate(BlockCache::kLargest), nullptr);
  cache.free(large);
  cache.free(kept);
  Block* after = cache.allocate(10);
  ASSERT_NE(after, nullptr);
  cache.free(after);
}

TEST_P(BlockCacheTest, TakesLessWhereThereIsLittle) {
  const std::size_t mb = std::size_t{1} << 20;
  segments.limit = 10 * mb;
  Block* first = cache.allocate(5 * mb);
  ASSERT_NE(first, nullptr);
  Block* second = cache.allocate(3 * mb);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(cache.allocate(3 * mb), nullptr);
  cache.free(first);
  cache.free(second);
}

TEST_P(BlockCacheTest, BlocksOfLikeSizesShareSegments) {
  std::vector<Block*> blocks;
  std::size_t live = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t size = (std::size_t{1} << 20) + i * 20000;
    blocks.push_back(cache.allocate(size));
    live += size;
  }
  EXPECT_LT(segments.held, live + live / 10 + BlockCache::kLargeSegment);
  for (Block* block : blocks) {
    cache.free(block);
  }
}

TEST_P(BlockCacheTest, KeepsSegmentsThatAreInUse) {
  Block* small = cache.allocate(10);
  Block* other = cache.allocate(10);
  std::memset(small->data, 7, 10);
  cache.free(other);
  cache.release_unused();
  EXPECT_EQ(segments.bases.size(), 1U);
  EXPECT_EQ(static_cast<char*>(small->data)[9], 7);
  Block* again = cache.allocate(10);
  EXPECT_EQ(again, other);
  cache.free(again);
  cache.free(small);
  cache.release_unused();
  EXPECT_EQ(segments.held, 0U);
}

TEST_P(BlockCacheTest, RoundsLittle) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(10, 25);
  std::vector<Block*> blocks;
  double asked = 0;
  double got = 0;
  for (int i = 0; i < 200; ++i) {
    const auto size = static_cast<std::size_t>(std::exp2(exponent(random)));
    asked += static_cast<double>(size);
    blocks.push_back(cache.allocate(size));
    got += static_cast<double>(blocks.back()->size);
  }
  EXPECT_LT(got, 1.1 * asked);
  for (Block* block : blocks) {
    cache.free(block);
  }
}

TEST_P(BlockCacheTest, ReservesLittleForALoopThatRepeats) {
  const std::vector<std::size_t> sizes = {
      4 << 20, 1 << 20, 9 << 20, 300 << 10, 2 << 20, 17 << 20, 128, 4096};
  std::size_t live = 0;
  for (const std::size_t size : sizes) {
    live += size;
  }
  for (int step = 0; step < 50; ++step) {
    std::vector<Block*> blocks;
    for (const std::size_t size : sizes) {
      blocks.push_back(cache.allocate(size));
    }
    while (!blocks.empty()) {
      cache.free(blocks.back());
      blocks.pop_back();
    }
  }
  EXPECT_LT(segments.most, live + live / 10 + BlockCache::kLargeSegment);
}

// What was written to a block is there until it is freed.
TEST_P(BlockCacheTest, ManyMixed) {
  std::mt19937 random(GetParam() ? 2 : 3);
  std::uniform_real_distribution<double> exponent(2, 23);

  struct Live {
    Block* block;
    std::size_t size;
    unsigned char value;
  };

  std::vector<Live> live;
  const auto check = [](const Live& each) {
    const auto* data = static_cast<const unsigned char*>(each.block->data);
    ASSERT_EQ(data[0], each.value);
    ASSERT_EQ(data[each.size - 1], each.value);
  };
  for (int i = 0; i < 20000; ++i) {
    if (live.size() < 100 || random() % 2 == 0) {
      const auto size = static_cast<std::size_t>(std::exp2(exponent(random)));
      Block* block = cache.allocate(size);
      const auto value = static_cast<unsigned char>(random());
      auto* data = static_cast<unsigned char*>(block->data);
      data[0] = data[size - 1] = value;
      live.push_back({block, size, value});
    } else {
      std::swap(live[random() % live.size()], live.back());
      check(live.back());
      cache.free(live.back().block);
      live.pop_back();
    }
  }
  const auto report = cache.report();
  EXPECT_TRUE(std::all_of(report.begin(), report.end(), fits));
  std::size_t used = 0;
  for (const SegmentReport& segment : report) {
    used += static_cast<std::size_t>(
        std::count_if(segment.blocks.begin(),
                      segment.blocks.end(),
                      [](const BlockReport& block) { return block.used; }));
  }
  EXPECT_EQ(used, live.size());
  for (const Live& each : live) {
    check(each);
    cache.free(each.block);
  }
  cache.release_unused();
  EXPECT_EQ(segments.held, 0U);
  EXPECT_EQ(cache.usage().unused.blocks, 0);
  EXPECT_EQ(cache.usage().unused.bytes, 0);
  EXPECT_GT(cache.usage().unused.most_bytes, 0);
}

TEST_P(BlockCacheTest, CountsWhatWasAskedFor) {
  Block* small = cache.allocate(100);
  Block* large = cache.allocate(std::size_t{1} << 20);
  cache.free(small);
  BlockCache::Usage usage = cache.usage();
  EXPECT_EQ(usage.requested.current, 1 << 20);
  EXPECT_EQ(usage.requested.peak, (1 << 20) + 100);
  EXPECT_EQ(usage.requested.allocated, (1 << 20) + 100);
  EXPECT_EQ(usage.requested.allocations, 2);
  EXPECT_EQ(usage.requested.frees, 1);
  EXPECT_EQ(usage.requested.most, 2);
  EXPECT_EQ(usage.reserved.current, static_cast<std::int64_t>(segments.held));
  EXPECT_EQ(usage.reserved.allocations, segments.count);

  cache.reset_peak();
  cache.reset_accumulated();
  cache.free(large);
  usage = cache.usage();
  EXPECT_EQ(usage.requested.current, 0);
  EXPECT_EQ(usage.requested.peak, 1 << 20);
  EXPECT_EQ(usage.requested.most, 1);
  EXPECT_EQ(usage.requested.allocated - usage.requested.allocated_before, 0);
  EXPECT_EQ(usage.requested.frees - usage.requested.frees_before, 1);
}

// What waits for a stream is no longer in use, and is counted once.
TEST_P(BlockCacheTest, CountsRetiredBlocksOnce) {
  Block* block = cache.allocate(1000);
  cache.retire(block);
  EXPECT_EQ(cache.usage().requested.current, 0);
  EXPECT_EQ(cache.usage().requested.frees, 1);
  Block* other = cache.allocate(1000);
  EXPECT_NE(other->data, block->data);
  cache.free(block);
  EXPECT_EQ(cache.usage().requested.current, 1000);
  EXPECT_EQ(cache.usage().requested.frees, 1);
  cache.free(other);
  EXPECT_EQ(cache.usage().requested.current, 0);
  EXPECT_EQ(cache.usage().requested.frees, 2);
}

TEST_P(BlockCacheTest, Threads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      std::vector<Block*> blocks;
      for (std::size_t i = 0; i < 3000; ++i) {
        blocks.push_back(cache.allocate(1 + (i * 7919) % 600000));
        *static_cast<int*>(blocks.back()->data) = thread;
        if (i % 3 != 0) {
          Block* block = blocks[i % blocks.size()];
          std::swap(blocks[i % blocks.size()], blocks.back());
          EXPECT_EQ(*static_cast<int*>(block->data), thread);
          blocks.pop_back();
          cache.free(block);
        }
      }
      for (Block* block : blocks) {
        cache.free(block);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  cache.release_unused();
  EXPECT_EQ(segments.held, 0U);
}

INSTANTIATE_TEST_SUITE_P(Records,
                         BlockCacheTest,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                           return info.param ? "WithHeaders" : "Without";
                         });

}  // namespace
}  // namespace torch_infini
