#include "embedded/rt/core/event.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace infini::rt::core {
namespace {

TEST(EventTest, MeasuresBetweenRecords) {
  Event start;
  Event end;
  start.record();
  std::this_thread::sleep_for(std::chrono::milliseconds{5});
  end.record();
  float milliseconds = 0;
  ASSERT_EQ(end.elapsed_since(start, &milliseconds), kSuccess);
  EXPECT_GE(milliseconds, 5.0F);
  EXPECT_LT(milliseconds, 5000.0F);
  ASSERT_EQ(start.elapsed_since(end, &milliseconds), kSuccess);
  EXPECT_LE(milliseconds, -5.0F);
}

TEST(EventTest, ResolvesNanoseconds) {
  Event start;
  Event end;
  float shortest = 1;
  for (int i = 0; i < 100; ++i) {
    start.record();
    end.record();
    float milliseconds = 0;
    ASSERT_EQ(end.elapsed_since(start, &milliseconds), kSuccess);
    if (milliseconds > 0 && milliseconds < shortest) {
      shortest = milliseconds;
    }
  }
  EXPECT_LT(shortest, 0.001F);
}

TEST(EventTest, HasNoTimeBeforeARecord) {
  Event recorded;
  recorded.record();
  const Event fresh;
  float milliseconds = -3;
  EXPECT_EQ(fresh.elapsed_since(recorded, &milliseconds), kInvalidHandle);
  EXPECT_EQ(recorded.elapsed_since(fresh, &milliseconds), kInvalidHandle);
  EXPECT_EQ(milliseconds, -3);
}

TEST(EventTest, ResetForgetsAndSetsFlags) {
  Event event;
  event.record();
  event.reset(kEventWithoutTime);
  event.record();
  float milliseconds = 0;
  EXPECT_EQ(event.elapsed_since(event, &milliseconds), kInvalidHandle);
  event.reset(0);
  EXPECT_EQ(event.elapsed_since(event, &milliseconds), kInvalidHandle);
  event.record();
  EXPECT_EQ(event.elapsed_since(event, &milliseconds), kSuccess);
  EXPECT_EQ(milliseconds, 0);
}

}  // namespace
}  // namespace infini::rt::core
