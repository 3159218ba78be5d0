#include "tests/fake_rt/scheduler.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "embedded/rt/core/backend.h"
#include "tests/fake_rt/settings.h"

namespace fake_rt {

using infini::rt::core::kInvalidHandle;
using infini::rt::core::kMemoryAllocation;
using infini::rt::core::kNotPermitted;
using infini::rt::core::kNotReady;
using infini::rt::core::kSuccess;

namespace {

thread_local bool is_worker = false;

}  // namespace

Scheduler::Scheduler() {
  for (int device = 0; device < settings().devices; ++device) {
    const auto stream = std::make_shared<StreamState>();
    stream->device = device;
    default_streams_.push_back(stream);
    streams_.push_back(stream);
  }
}

Scheduler::StreamPointer Scheduler::find_stream(int device, void* stream) {
  if (stream == nullptr) {
    return default_streams_[static_cast<std::size_t>(device)];
  }
  const auto* entry = stream_handles_.find(stream);
  return entry == nullptr ? nullptr : entry->state;
}

Error Scheduler::create_stream(int device, void** stream) {
  const Lock lock{mutex_};
  auto state = std::make_shared<StreamState>();
  state->device = device;
  void* handle = stream_handles_.create(state);
  if (handle == nullptr) {
    return kMemoryAllocation;
  }
  streams_.push_back(std::move(state));
  *stream = handle;
  return kSuccess;
}

Error Scheduler::destroy_stream(void* stream) {
  Lock lock{mutex_};
  if (stream == nullptr) {
    return kSuccess;
  }
  const StreamPointer state = find_stream(0, stream);
  if (state == nullptr) {
    return kInvalidHandle;
  }
  const Error error = wait_for(lock, state, state->submitted);
  if (error != kSuccess) {
    return error;
  }
  std::erase(streams_, state);
  return stream_handles_.remove(stream) ? kSuccess : kInvalidHandle;
}

void Scheduler::enqueue(StreamState& stream, Task task) {
  const auto hooks = infini::rt::core::executor_hooks();
  task.settings =
      hooks.capture_settings == nullptr ? 0 : hooks.capture_settings();
  task.order = ++last_order_;
  stream.queue.push_back(std::move(task));
  ++stream.submitted;
  if (!started_) {
    started_ = true;
    std::thread{[this] { work(); }}.detach();
  }
  work_arrived_.notify_one();
}

Error Scheduler::submit(int device, void* stream, Task task) {
  Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  if (state == nullptr) {
    return kInvalidHandle;
  }
  enqueue(*state, std::move(task));
  return capable(infini_extension::kInlineStreams)
             ? wait_for(lock, state, state->submitted)
             : kSuccess;
}

Error Scheduler::run(int device, void* stream, Task task) {
  Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  if (state == nullptr) {
    return kInvalidHandle;
  }
  if (is_worker) {
    return kNotPermitted;
  }
  enqueue(*state, std::move(task));
  return wait_for(lock, state, state->submitted);
}

Error Scheduler::wait_until(Lock& lock, const std::function<bool()>& done) {
  if (is_worker) {
    return kNotPermitted;
  }
  ++waiting_;
  work_arrived_.notify_one();
  work_done_.wait(lock, done);
  --waiting_;
  return kSuccess;
}

Error Scheduler::wait_for(Lock& lock,
                          const StreamPointer& stream,
                          std::uint64_t ticket) {
  return wait_until(lock, [&] { return stream->completed >= ticket; });
}

Error Scheduler::synchronize(int device, void* stream) {
  Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  return state == nullptr ? kInvalidHandle
                          : wait_for(lock, state, state->submitted);
}

Error Scheduler::synchronize_device(int device) {
  Lock lock{mutex_};
  std::vector<std::pair<StreamPointer, std::uint64_t>> pending;
  for (const StreamPointer& stream : streams_) {
    if (stream->device == device) {
      pending.emplace_back(stream, stream->submitted);
    }
  }
  for (const auto& [stream, ticket] : pending) {
    const Error error = wait_for(lock, stream, ticket);
    if (error != kSuccess) {
      return error;
    }
  }
  return kSuccess;
}

Error Scheduler::query(int device, void* stream) {
  const Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  if (state == nullptr) {
    return kInvalidHandle;
  }
  return state->completed == state->submitted ? kSuccess : kNotReady;
}

Error Scheduler::tickets(int device,
                         void* stream,
                         infini_extension::StreamTickets* tickets) {
  const Lock lock{mutex_};
  const StreamPointer state = find_stream(device, stream);
  if (state == nullptr) {
    return kInvalidHandle;
  }
  *tickets = {.submitted = state->submitted, .completed = state->completed};
  return kSuccess;
}

StreamState* Scheduler::choose() {
  StreamState* chosen = nullptr;
  if (settings().lazy && waiting_ == 0) {
    return chosen;
  }
  for (const StreamPointer& stream : streams_) {
    if (stream->queue.empty()) {
      continue;
    }
    const Task& task = stream->queue.front();
    const bool ready =
        task.after == nullptr || task.after->completed >= task.after_record;
    if (ready &&
        (chosen == nullptr || chosen->queue.front().order < task.order)) {
      chosen = stream.get();
    }
  }
  return chosen;
}

void Scheduler::work() {
  is_worker = true;
  const auto hooks = infini::rt::core::executor_hooks();
  if (hooks.start != nullptr) {
    hooks.start();
  }
  std::optional<infini_extension::TaskSettings> applied;
  Lock lock{mutex_};
  while (true) {
    StreamState* stream = choose();
    if (stream == nullptr) {
      if (hooks.sleep != nullptr) {
        hooks.sleep();
      }
      work_arrived_.wait(lock, [&] { return (stream = choose()) != nullptr; });
    }
    // The stream outlives the task: destroy_stream waits for it.
    const Task task = std::move(stream->queue.front());
    stream->queue.pop_front();
    lock.unlock();
    if (task.delayed) {
      std::this_thread::sleep_for(settings().delay);
    }
    if (hooks.apply_settings != nullptr && applied != task.settings) {
      hooks.apply_settings(task.settings);
      applied = task.settings;
    }
    if (task.work) {
      task.work();
    }
    lock.lock();
    if (task.finish) {
      task.finish();
    }
    ++stream->completed;
    work_done_.notify_all();
  }
}

std::uint64_t Scheduler::live_streams() {
  const Lock lock{mutex_};
  return streams_.size() - default_streams_.size();
}

}  // namespace fake_rt
