#include "tests/fake_rt/backend.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

#include "tests/fake_rt/memory.h"
#include "tests/fake_rt/scheduler.h"
#include "tests/fake_rt/settings.h"

namespace fake_rt {

using infini::rt::core::kInvalidValue;
using infini::rt::core::kSuccess;

namespace {

constexpr int kCpuType = 0;

thread_local int current_device = 0;

bool has_device(int device) {
  return device >= 0 && device < settings().devices;
}

}  // namespace

// Counts the call and leaves the function with the error that was injected or
// is due.
#define FAKE_RT_ENTER(name, valid)                            \
  do {                                                        \
    const Error injected = calls_.count(name);                \
    if (injected != kSuccess || !(valid)) {                   \
      return injected != kSuccess ? injected : kInvalidValue; \
    }                                                         \
  } while (false)

FakeBackend::FakeBackend() : Backend{kCpuType} {}

FakeBackend& FakeBackend::instance() {
  static auto* const instance = new FakeBackend;
  return *instance;
}

std::uint64_t FakeBackend::capabilities() const {
  return settings().capabilities;
}

Error FakeBackend::properties(int device,
                              infini_extension::DeviceProperties* properties) {
  FAKE_RT_ENTER("device_properties",
                has_device(device) && properties != nullptr);
  *properties = {};
  std::snprintf(
      properties->name, sizeof(properties->name), "Fake device %d", device);
  properties->total_memory = settings().memory;
  properties->multi_processor_count = 1;
  return kSuccess;
}

Error FakeBackend::memory_info(int device,
                               std::size_t* free,
                               std::size_t* total) {
  FAKE_RT_ENTER("MemGetInfo",
                has_device(device) && free != nullptr && total != nullptr);
  memory_.info(device, free, total);
  return kSuccess;
}

Error FakeBackend::set_device(int device) {
  FAKE_RT_ENTER("SetDevice", has_device(device));
  current_device = device;
  return kSuccess;
}

Error FakeBackend::get_device(int* device) {
  FAKE_RT_ENTER("GetDevice", device != nullptr);
  *device = current_device;
  return kSuccess;
}

Error FakeBackend::device_count(int* count) {
  FAKE_RT_ENTER("GetDeviceCount", count != nullptr);
  *count = settings().devices;
  return kSuccess;
}

Error FakeBackend::synchronize_device() {
  FAKE_RT_ENTER("DeviceSynchronize", true);
  return scheduler_.synchronize_device(current_device);
}

Error FakeBackend::create_stream(void** stream) {
  FAKE_RT_ENTER("StreamCreate", stream != nullptr);
  return scheduler_.create_stream(current_device, stream);
}

Error FakeBackend::destroy_stream(void* stream) {
  FAKE_RT_ENTER("StreamDestroy", true);
  return scheduler_.destroy_stream(stream);
}

Error FakeBackend::synchronize_stream(void* stream) {
  FAKE_RT_ENTER("StreamSynchronize", true);
  return scheduler_.synchronize(current_device, stream);
}

Error FakeBackend::query_stream(void* stream) {
  FAKE_RT_ENTER("stream_query", true);
  return scheduler_.query(current_device, stream);
}

Error FakeBackend::stream_tickets(void* stream,
                                  infini_extension::StreamTickets* tickets) {
  FAKE_RT_ENTER("stream_tickets", tickets != nullptr);
  return scheduler_.tickets(current_device, stream, tickets);
}

Error FakeBackend::launch_host_function(void* stream,
                                        void (*function)(void*),
                                        void* argument) {
  FAKE_RT_ENTER("launch_host_function", function != nullptr);
  Task task;
  task.work = [function, argument] { function(argument); };
  task.delayed = true;
  return scheduler_.submit(current_device, stream, std::move(task));
}

Error FakeBackend::wait_event(void* stream, void* event) {
  FAKE_RT_ENTER("StreamWaitEvent",
                capable(infini_extension::kEvents) && event != nullptr);
  return scheduler_.wait_event(current_device, stream, event);
}

Error FakeBackend::create_event(void** event, unsigned flags) {
  FAKE_RT_ENTER("EventCreate",
                capable(infini_extension::kEvents) && event != nullptr);
  return scheduler_.create_event(flags, event);
}

Error FakeBackend::destroy_event(void* event) {
  FAKE_RT_ENTER("EventDestroy", true);
  return scheduler_.destroy_event(event);
}

Error FakeBackend::record_event(void* event, void* stream) {
  FAKE_RT_ENTER("EventRecord", event != nullptr);
  return scheduler_.record(current_device, stream, event);
}

Error FakeBackend::query_event(void* event) {
  FAKE_RT_ENTER("EventQuery", event != nullptr);
  return scheduler_.query_event(event);
}

Error FakeBackend::synchronize_event(void* event) {
  FAKE_RT_ENTER("EventSynchronize", event != nullptr);
  return scheduler_.synchronize_event(event);
}

Error FakeBackend::elapsed_time(float* milliseconds, void* start, void* end) {
  FAKE_RT_ENTER("EventElapsedTime",
                milliseconds != nullptr && start != nullptr && end != nullptr);
  return scheduler_.elapsed(start, end, milliseconds);
}

Error FakeBackend::allocate(void** block, std::size_t size) {
  FAKE_RT_ENTER("Malloc", block != nullptr);
  return memory_.allocate(current_device, block, size);
}

Error FakeBackend::allocate_host(void** block, std::size_t size) {
  FAKE_RT_ENTER("MallocHost",
                capable(infini_extension::kHostAllocation) && block != nullptr);
  return memory_.allocate_host(block, size);
}

Error FakeBackend::allocate_async(void** block,
                                  std::size_t size,
                                  void* stream) {
  FAKE_RT_ENTER(
      "MallocAsync",
      capable(infini_extension::kAsyncAllocation) && block != nullptr);
  const Error error = scheduler_.submit(current_device, stream, {});
  return error != kSuccess ? error
                           : memory_.allocate(current_device, block, size);
}

Error FakeBackend::release(void* block) {
  FAKE_RT_ENTER("Free", true);
  return memory_.release(block);
}

Error FakeBackend::release_host(void* block) {
  FAKE_RT_ENTER("FreeHost", true);
  return memory_.release_host(block);
}

Error FakeBackend::release_async(void* block, void* stream) {
  FAKE_RT_ENTER("FreeAsync", capable(infini_extension::kAsyncAllocation));
  Task task;
  task.work = [this, block] { memory_.release(block); };
  return scheduler_.submit(current_device, stream, std::move(task));
}

Error FakeBackend::copy_task(
    void* to, const void* from, std::size_t size, int kind, Task* task) {
  if (kind < 0 || kind > 3 ||
      (size != 0 && (to == nullptr || from == nullptr))) {
    return kInvalidValue;
  }
  Range target{};
  Range source{};
  if (size != 0 && (memory_.find(to, size, &target) != kSuccess ||
                    memory_.find(from, size, &source) != kSuccess)) {
    return kInvalidValue;
  }
  task->work = [this, target, source] { memory_.copy(target, source); };
  return kSuccess;
}

Error FakeBackend::fill_task(void* block,
                             int value,
                             std::size_t size,
                             Task* task) {
  Range range{};
  if (size != 0 &&
      (block == nullptr || memory_.find(block, size, &range) != kSuccess)) {
    return kInvalidValue;
  }
  task->work = [this, range, value] { memory_.fill(range, value); };
  return kSuccess;
}

Error FakeBackend::copy(void* to,
                        const void* from,
                        std::size_t size,
                        int kind) {
  FAKE_RT_ENTER("Memcpy", true);
  Task task;
  const Error error = copy_task(to, from, size, kind, &task);
  return error != kSuccess
             ? error
             : scheduler_.run(current_device, nullptr, std::move(task));
}

Error FakeBackend::copy_async(
    void* to, const void* from, std::size_t size, int kind, void* stream) {
  FAKE_RT_ENTER("MemcpyAsync", capable(infini_extension::kAsyncMemcpy));
  Task task;
  task.delayed = true;
  const Error error = copy_task(to, from, size, kind, &task);
  return error != kSuccess
             ? error
             : scheduler_.submit(current_device, stream, std::move(task));
}

Error FakeBackend::fill(void* block, int value, std::size_t size) {
  FAKE_RT_ENTER("Memset", true);
  Task task;
  const Error error = fill_task(block, value, size, &task);
  return error != kSuccess
             ? error
             : scheduler_.run(current_device, nullptr, std::move(task));
}

Error FakeBackend::fill_async(void* block,
                              int value,
                              std::size_t size,
                              void* stream) {
  FAKE_RT_ENTER("MemsetAsync", capable(infini_extension::kAsyncMemcpy));
  Task task;
  task.delayed = true;
  const Error error = fill_task(block, value, size, &task);
  return error != kSuccess
             ? error
             : scheduler_.submit(current_device, stream, std::move(task));
}

#undef FAKE_RT_ENTER

}  // namespace fake_rt

namespace infini::rt::core {

std::span<Backend* const> backends() {
  static const std::array<Backend*, 1> present{
      &fake_rt::FakeBackend::instance()};
  return present;
}

}  // namespace infini::rt::core
