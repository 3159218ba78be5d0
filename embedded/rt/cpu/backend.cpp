#include "embedded/rt/cpu/backend.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <infini/rt/detail/native/cpu/runtime_.h>

#include "embedded/rt/cpu/host_info.h"

namespace infini::rt::cpu {

using core::Event;
using core::kInvalidHandle;
using core::kInvalidValue;
using core::kMemoryAllocation;
using core::kNotPermitted;
using core::kSuccess;
using core::Stream;

CpuBackend::CpuBackend()
    : Backend{static_cast<int>(Device::Type::kCpu)},
      total_memory_{cpu::total_memory()} {}

CpuBackend& CpuBackend::instance() {
  static auto* const instance = new CpuBackend;
  return *instance;
}

std::uint64_t CpuBackend::capabilities() const {
  using namespace infini_extension;  // NOLINT: six enumerators
  return kAsyncMemcpy | kHostAllocation | kAsyncAllocation | kEvents |
         kHostAccess | kInlineStreams;
}

Error CpuBackend::properties(int device,
                             infini_extension::DeviceProperties* properties) {
  if (device != 0 || properties == nullptr) {
    return kInvalidValue;
  }
  *properties = {};
  const std::string name = processor_name();
  name.copy(properties->name, sizeof(properties->name) - 1);
  properties->total_memory = total_memory_;
  properties->multi_processor_count = processor_count();
  return kSuccess;
}

Error CpuBackend::memory_info(int device,
                              std::size_t* free,
                              std::size_t* total) {
  if (device != 0 || free == nullptr || total == nullptr) {
    return kInvalidValue;
  }
  const auto info = cpu::memory_info();
  if (!info.has_value()) {
    return kInvalidValue;
  }
  *free = info->available;
  *total = info->total;
  return kSuccess;
}

Error CpuBackend::set_device(int device) {
  return device == 0 ? kSuccess : kInvalidValue;
}

Error CpuBackend::get_device(int* device) {
  if (device == nullptr) {
    return kInvalidValue;
  }
  *device = 0;
  return kSuccess;
}

Error CpuBackend::device_count(int* count) {
  if (count == nullptr) {
    return kInvalidValue;
  }
  *count = 1;
  return kSuccess;
}

Error CpuBackend::synchronize_device() {
  if (core::in_host_function()) {
    return kNotPermitted;
  }
  default_stream_.synchronize();
  streams_.for_each([](Stream& stream) { stream.synchronize(); });
  return kSuccess;
}

Stream* CpuBackend::find_stream(void* stream) noexcept {
  return stream == nullptr ? &default_stream_ : streams_.find(stream);
}

Error CpuBackend::create_stream(void** stream) {
  if (stream == nullptr) {
    return kInvalidValue;
  }
  void* created = streams_.create();
  if (created == nullptr) {
    return kMemoryAllocation;
  }
  *stream = created;
  return kSuccess;
}

Error CpuBackend::destroy_stream(void* stream) {
  if (stream == nullptr) {
    return kSuccess;
  }
  Stream* found = streams_.find(stream);
  if (found == nullptr) {
    return kInvalidHandle;
  }
  const Error error = found->synchronize();
  if (error != kSuccess) {
    return error;
  }
  return streams_.remove(stream) ? kSuccess : kInvalidHandle;
}

Error CpuBackend::synchronize_stream(void* stream) {
  Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle : found->synchronize();
}

Error CpuBackend::query_stream(void* stream) {
  const Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle : found->query();
}

Error CpuBackend::stream_tickets(void* stream,
                                 infini_extension::StreamTickets* tickets) {
  if (tickets == nullptr) {
    return kInvalidValue;
  }
  const Stream* found = find_stream(stream);
  if (found == nullptr) {
    return kInvalidHandle;
  }
  *tickets = found->tickets();
  return kSuccess;
}

Error CpuBackend::launch_host_function(void* stream,
                                       void (*function)(void*),
                                       void* argument) {
  if (function == nullptr) {
    return kInvalidValue;
  }
  Stream* found = find_stream(stream);
  return found == nullptr ? kInvalidHandle
                          : found->run_host_function(function, argument);
}

Error CpuBackend::wait_event(void* stream, void* event) {
  if (event == nullptr) {
    return kInvalidValue;
  }
  Stream* found = find_stream(stream);
  if (found == nullptr || events_.find(event) == nullptr) {
    return kInvalidHandle;
  }
  return found->run([] {});
}

Error CpuBackend::create_event(void** event, unsigned flags) {
  if (event == nullptr) {
    return kInvalidValue;
  }
  void* created = events_.create(flags);
  if (created == nullptr) {
    return kMemoryAllocation;
  }
  *event = created;
  return kSuccess;
}

Error CpuBackend::destroy_event(void* event) {
  return event == nullptr || events_.remove(event) ? kSuccess : kInvalidHandle;
}

Error CpuBackend::record_event(void* event, void* stream) {
  if (event == nullptr) {
    return kInvalidValue;
  }
  Stream* found_stream = find_stream(stream);
  Event* found_event = events_.find(event);
  if (found_stream == nullptr || found_event == nullptr) {
    return kInvalidHandle;
  }
  return found_stream->run([&] { found_event->record(); });
}

Error CpuBackend::query_event(void* event) {
  if (event == nullptr) {
    return kInvalidValue;
  }
  return events_.find(event) == nullptr ? kInvalidHandle : kSuccess;
}

Error CpuBackend::synchronize_event(void* event) {
  return query_event(event);
}

Error CpuBackend::elapsed_time(float* milliseconds, void* start, void* end) {
  if (milliseconds == nullptr || start == nullptr || end == nullptr) {
    return kInvalidValue;
  }
  const Event* first = events_.find(start);
  const Event* last = events_.find(end);
  if (first == nullptr || last == nullptr) {
    return kInvalidHandle;
  }
  return last->elapsed_since(*first, milliseconds);
}

}  // namespace infini::rt::cpu
