// The streams and events of the fake devices, and the one thread that runs
// their work.
//
// Work of one stream runs in the order of submission. Between streams the
// worker is unkind: of all streams that could go on it takes the one whose next
// task was submitted last, so a missing wait shows as a wrong order. All
// functions are thread-safe; those that wait return kNotPermitted in the
// worker, where only host functions can call them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "embedded/extension.h"
#include "embedded/rt/core/error.h"
#include "embedded/rt/core/handle_table.h"

namespace fake_rt {

using infini::rt::core::Error;

struct EventState {
  bool keeps_time = true;
  std::uint64_t recorded = 0;   // records submitted
  std::uint64_t completed = 0;  // the latest record that has run
  std::chrono::steady_clock::time_point time;
};

struct Task {
  std::function<void()>
      work;  // runs without the scheduler's lock; may be empty
  std::function<void()> finish;  // runs afterwards with the lock; may be empty
  bool delayed = false;          // sleeps for settings().delay first
  std::shared_ptr<EventState> after;
  std::uint64_t after_record = 0;
  infini_extension::TaskSettings settings = 0;
  std::uint64_t order = 0;
};

struct StreamState {
  int device = 0;
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  std::deque<Task> queue;
};

class Scheduler {
 public:
  Scheduler();

  Error create_stream(int device, void** stream);
  Error destroy_stream(void* stream);
  // `device` says whose default stream null is, here and below.
  Error submit(int device, void* stream, Task task);
  // Submits the task and waits for it.
  Error run(int device, void* stream, Task task);
  Error synchronize(int device, void* stream);
  Error synchronize_device(int device);
  Error query(int device, void* stream);
  Error tickets(int device,
                void* stream,
                infini_extension::StreamTickets* tickets);

  Error create_event(unsigned flags, void** event);
  Error destroy_event(void* event);
  Error record(int device, void* stream, void* event);
  Error wait_event(int device, void* stream, void* event);
  Error query_event(void* event);
  Error synchronize_event(void* event);
  Error elapsed(void* start, void* end, float* milliseconds);

  std::uint64_t live_streams();
  std::uint64_t live_events();

 private:
  template <typename T>
  struct Entry {
    std::shared_ptr<T> state;

    void reset(std::shared_ptr<T> value) noexcept { state = std::move(value); }
  };

  using StreamPointer = std::shared_ptr<StreamState>;
  using EventPointer = std::shared_ptr<EventState>;
  using Lock = std::unique_lock<std::mutex>;

  StreamPointer find_stream(int device, void* stream);
  EventPointer find_event(void* event);
  void enqueue(StreamState& stream, Task task);
  Error wait_until(Lock& lock, const std::function<bool()>& done);
  Error wait_for(Lock& lock, const StreamPointer& stream, std::uint64_t ticket);
  StreamState* choose();
  void work();

  std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable work_done_;
  bool started_ = false;
  int waiting_ = 0;  // host threads in wait_until
  std::uint64_t last_order_ = 0;
  std::vector<StreamPointer> default_streams_;
  std::vector<StreamPointer> streams_;  // all that exist, the default ones too
  std::uint64_t live_events_ = 0;
  infini::rt::core::HandleTable<Entry<StreamState>, 8> stream_handles_;
  infini::rt::core::HandleTable<Entry<EventState>, 0> event_handles_;
};

}  // namespace fake_rt
