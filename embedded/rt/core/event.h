// An event of a stream that runs its tasks inline: the time of its latest
// record.
//
// A record is a task of the stream that has finished when record_event returns,
// so there is never anything to wait for.
#pragma once

#include <atomic>
#include <cstdint>

#include "embedded/rt/core/error.h"

namespace infini::rt::core {

// Bit of EventCreateWithFlags: the event keeps no time. The value of
// cudaEventDisableTiming.
inline constexpr unsigned kEventWithoutTime = 2;

class Event {
 public:
  // Makes the event new. No other thread may use it.
  void reset(unsigned flags) noexcept;

  // Called by the task of a record.
  void record() noexcept;

  // Milliseconds from start's record to this one's; kInvalidHandle when either
  // has no time.
  Error elapsed_since(const Event& start, float* milliseconds) const noexcept;

 private:
  static constexpr std::int64_t kNoTime = -1;

  std::atomic<std::int64_t> nanoseconds_{kNoTime};
  std::atomic<bool> keeps_time_{true};
};

}  // namespace infini::rt::core
