#include "csrc/runtime/event.h"

#include <utility>

#include <c10/util/Exception.h>

#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {

OwnedEvent::OwnedEvent() {
  INFINI_CHECK(EventCreate(&event_));
}

OwnedEvent::~OwnedEvent() {
  if (event_ != nullptr) {
    INFINI_WARN_ON_ERROR(EventDestroy(event_));
  }
}

OwnedEvent& OwnedEvent::operator=(OwnedEvent&& other) noexcept {
  std::swap(event_, other.event_);
  return *this;
}

OwnedEvent recorded_event(c10::Stream stream) {
  const ScopedDevice guard(stream.device_index());
  OwnedEvent event;
  INFINI_CHECK(EventRecord(event.get(), native_stream(stream)));
  return event;
}

bool is_over(const OwnedEvent& event) noexcept {
  try {
    return query_event(event.get());
  } catch (...) {
    return true;
  }
}

void record_event(void** event,
                  c10::Stream stream,
                  c10::DeviceIndex event_device) {
  TORCH_CHECK(event_device < 0 || event_device == stream.device_index(),
              "an event of infini:",
              static_cast<int>(event_device),
              " cannot be recorded on a stream of infini:",
              static_cast<int>(stream.device_index()));
  const NativeStream native = native_stream(stream);
  const ScopedDevice guard(stream.device_index());
  if (*event == nullptr) {
    TORCH_CHECK_NOT_IMPLEMENTED(backend().can(infini_extension::kEvents),
                                "the InfiniRT backend '",
                                backend().name,
                                "' does not offer events");
    INFINI_CHECK(EventCreate(event));
  }
  INFINI_CHECK(EventRecord(*event, native));
}

void block_stream(void* event, c10::Stream stream) {
  if (event == nullptr) {
    return;
  }
  const NativeStream native = native_stream(stream);
  const ScopedDevice guard(stream.device_index());
  INFINI_CHECK(StreamWaitEvent(native, event, 0));
}

bool query_event(void* event) {
  if (event == nullptr) {
    return true;
  }
  check_not_forked();
  bind_backend();
  const int status = static_cast<int>(infini::rt::runtime::EventQuery(event));
  // Without the extension table nothing tells "not ready" from a failure; the
  // wait will.
  if (status == infini_extension::kNotReady || backend().extension == nullptr) {
    return status == 0;
  }
  check_status(status, "EventQuery");
  return true;
}

void synchronize_event(void* event) {
  if (event != nullptr) {
    INFINI_CHECK(EventSynchronize(event));
  }
}

double elapsed_time(void* start, void* end, c10::DeviceIndex index) {
  TORCH_CHECK(start != nullptr && end != nullptr,
              "Both events must be recorded before calculating elapsed time.");
  const ScopedDevice guard(check_device_index(index));
  float milliseconds = 0.0F;
  INFINI_CHECK(EventElapsedTime(&milliseconds, start, end));
  return milliseconds;
}

void destroy_event(void* event, c10::DeviceIndex index) noexcept {
  if (event == nullptr || in_bad_fork()) {
    return;
  }
  const c10::DeviceIndex previous = current_device();
  set_device_unchecked(index);
  INFINI_WARN_ON_ERROR(EventDestroy(event));
  set_device_unchecked(previous);
}

}  // namespace torch_infini
