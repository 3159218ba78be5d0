#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <ratio>
#include <utility>

#include "tests/fake_rt/scheduler.h"
#include "tests/fake_rt/settings.h"

namespace fake_rt {

using infini::rt::core::kInvalidHandle;
using infini::rt::core::kMemoryAllocation;
using infini::rt::core::kNotReady;
using infini::rt::core::kSuccess;

namespace {

constexpr unsigned kWithoutTime = 2;

}  // namespace

Scheduler::EventPointer Scheduler::find_event(void* event) {
  const auto* entry = event_handles_.find(event);
  return entry == nullptr ? nullptr : entry->state;
}

Error Scheduler::create_event(unsigned flags, void** event) {
  const Lock lock{mutex_};
  auto state = std::make_shared<EventState>();
  state->keeps_time = (flags & kWithoutTime) == 0;
  void* handle = event_handles_.create(std::move(state));
  if (handle == nullptr) {
    return kMemoryAllocation;
  }
  ++live_events_;
  *event = handle;
  return kSuccess;
}

Error Scheduler::destroy_event(void* event) {
  const Lock lock{mutex_};
  if (event == nullptr) {
    return kSuccess;
  }
  if (!event_handles_.remove(event)) {
    return kInvalidHandle;
  }
  --live_events_;
  return kSuccess;
}

Error Scheduler::record(int device, void* stream, void* event) {
  Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  const EventPointer found = find_event(event);
  if (state == nullptr || found == nullptr) {
    return kInvalidHandle;
  }
  const std::uint64_t record = ++found->recorded;
  Task task;
  task.finish = [found, record] {
    found->completed = std::max(found->completed, record);
    found->time = std::chrono::steady_clock::now();
  };
  enqueue(*state, std::move(task));
  return capable(infini_extension::kInlineStreams)
             ? wait_for(lock, state, state->submitted)
             : kSuccess;
}

Error Scheduler::wait_event(int device, void* stream, void* event) {
  Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  const EventPointer found = find_event(event);
  if (state == nullptr || found == nullptr) {
    return kInvalidHandle;
  }
  Task task;
  task.after = found;
  task.after_record = found->recorded;
  enqueue(*state, std::move(task));
  return capable(infini_extension::kInlineStreams)
             ? wait_for(lock, state, state->submitted)
             : kSuccess;
}

Error Scheduler::query_event(void* event) {
  const Lock lock{mutex_};
  const EventPointer found = find_event(event);
  if (found == nullptr) {
    return kInvalidHandle;
  }
  return found->completed == found->recorded ? kSuccess : kNotReady;
}

Error Scheduler::synchronize_event(void* event) {
  Lock lock{mutex_};
  const EventPointer found = find_event(event);
  if (found == nullptr) {
    return kInvalidHandle;
  }
  const std::uint64_t record = found->recorded;
  return wait_until(lock, [&] { return found->completed >= record; });
}

Error Scheduler::elapsed(void* start, void* end, float* milliseconds) {
  const Lock lock{mutex_};
  const EventPointer first = find_event(start);
  const EventPointer last = find_event(end);
  for (const EventPointer& event : {first, last}) {
    if (event == nullptr || event->recorded == 0 || !event->keeps_time) {
      return kInvalidHandle;
    }
  }
  if (first->completed != first->recorded ||
      last->completed != last->recorded) {
    return kNotReady;
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(last->time - first->time)
          .count();
  return kSuccess;
}

std::uint64_t Scheduler::live_events() {
  const Lock lock{mutex_};
  return live_events_;
}

}  // namespace fake_rt
