// Events. c10 holds an event as a `void*` that is null until it is first
// recorded.
#pragma once

#include <cstddef>

#include <c10/core/Stream.h>
#include <infini/rt.h>

namespace torch_infini {

// Creates the event on first use and records it on the stream. Raises if the
// event was made on another device than the stream's.
void record_event(void** event,
                  c10::Stream stream,
                  c10::DeviceIndex event_device);

// Work submitted to the stream later waits for the event. A null event is one
// never recorded.
void block_stream(void* event, c10::Stream stream);

// True for null and for a recorded event whose work has finished.
bool query_event(void* event);
void synchronize_event(void* event);

// Milliseconds between two recorded and finished events.
double elapsed_time(void* start, void* end, c10::DeviceIndex index);

void destroy_event(void* event, c10::DeviceIndex index) noexcept;

// An event of the current device for a scope.
class OwnedEvent {
 public:
  OwnedEvent();

  // Holds none.
  explicit OwnedEvent(std::nullptr_t) noexcept {}

  ~OwnedEvent();

  OwnedEvent(OwnedEvent&& other) noexcept : event_(other.event_) {
    other.event_ = nullptr;
  }

  OwnedEvent& operator=(OwnedEvent&& other) noexcept;
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;

  infini::rt::runtime::Event get() const { return event_; }

 private:
  infini::rt::runtime::Event event_ = nullptr;
};

// A fresh event of the stream's device, recorded on the stream. Raises where
// the backend has none.
OwnedEvent recorded_event(c10::Stream stream);

// True when the event's work has finished, well or not. Null has.
bool is_over(const OwnedEvent& event) noexcept;

}  // namespace torch_infini
