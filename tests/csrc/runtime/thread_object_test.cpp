#include "csrc/runtime/thread_object.h"

#include <cstddef>
#include <thread>

#include <gtest/gtest.h>

namespace torch_infini {
namespace {

struct Numbers {
  int value = 0;
};

std::size_t number_of_objects() {
  std::size_t count = 0;
  ThreadObject<Numbers>::for_each([&](const Numbers& /*each*/) { ++count; });
  return count;
}

TEST(ThreadObject, is_the_same_for_a_thread_and_another_for_others) {
  Numbers* mine = &ThreadObject<Numbers>::get();
  EXPECT_EQ(mine, &ThreadObject<Numbers>::get());
  Numbers* other = nullptr;
  std::thread([&] { other = &ThreadObject<Numbers>::get(); }).join();
  EXPECT_NE(other, nullptr);
  EXPECT_NE(other, mine);
}

TEST(ThreadObject, is_left_to_a_later_thread) {
  std::thread([] { ++ThreadObject<Numbers>::get().value; }).join();
  const std::size_t before = number_of_objects();
  for (int i = 0; i < 10; ++i) {
    std::thread([] { ++ThreadObject<Numbers>::get().value; }).join();
  }
  EXPECT_EQ(number_of_objects(), before);
  int sum = 0;
  ThreadObject<Numbers>::for_each(
      [&](const Numbers& each) { sum += each.value; });
  EXPECT_EQ(sum, 11);
}

struct AsksWhenTheThreadEnds {
  Numbers** seen = nullptr;

  AsksWhenTheThreadEnds() = default;
  AsksWhenTheThreadEnds(const AsksWhenTheThreadEnds&) = delete;
  AsksWhenTheThreadEnds& operator=(const AsksWhenTheThreadEnds&) = delete;
  AsksWhenTheThreadEnds(AsksWhenTheThreadEnds&&) = delete;
  AsksWhenTheThreadEnds& operator=(AsksWhenTheThreadEnds&&) = delete;

  ~AsksWhenTheThreadEnds() {
    if (seen != nullptr) {
      *seen = &ThreadObject<Numbers>::get();
    }
  }
};

// Thread-local objects that were made before the thread's object are destroyed
// after it.
TEST(ThreadObject, may_be_asked_for_while_a_thread_ends) {
  Numbers* during = nullptr;
  Numbers* late = nullptr;
  Numbers* next = nullptr;
  std::thread([&] {
    static thread_local AsksWhenTheThreadEnds last;
    last.seen = &late;
    during = &ThreadObject<Numbers>::get();
  }).join();
  ASSERT_NE(late, nullptr);
  std::thread([&] { next = &ThreadObject<Numbers>::get(); }).join();
  EXPECT_NE(next, late);
}

}  // namespace
}  // namespace torch_infini
