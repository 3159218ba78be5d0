// A backend: the devices of one type, their memory, streams and events. The
// runtime API and the extension table are thin layers over this interface,
// which adds nothing to their contracts.
//
// Each backend is one object that lives until the process ends. All functions
// may be called from any thread and check their arguments. The current device
// is the calling thread's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "embedded/extension.h"
#include "embedded/rt/core/error.h"

namespace infini::rt::core {

class Backend {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // A Device::Type value.
  int type() const noexcept { return type_; }

  // Bits of infini_extension::Capability.
  virtual std::uint64_t capabilities() const = 0;
  virtual Error properties(int device,
                           infini_extension::DeviceProperties* properties) = 0;
  virtual Error memory_info(int device,
                            std::size_t* free,
                            std::size_t* total) = 0;

  virtual Error set_device(int device) = 0;
  virtual Error get_device(int* device) = 0;
  virtual Error device_count(int* count) = 0;
  virtual Error synchronize_device() = 0;

  virtual Error allocate(void** block, std::size_t size) = 0;
  virtual Error allocate_host(void** block, std::size_t size) = 0;
  virtual Error allocate_async(void** block,
                               std::size_t size,
                               void* stream) = 0;
  virtual Error release(void* block) = 0;
  virtual Error release_host(void* block) = 0;
  virtual Error release_async(void* block, void* stream) = 0;

  virtual Error copy(void* to,
                     const void* from,
                     std::size_t size,
                     int kind) = 0;
  virtual Error copy_async(
      void* to, const void* from, std::size_t size, int kind, void* stream) = 0;
  virtual Error fill(void* block, int value, std::size_t size) = 0;
  virtual Error fill_async(void* block,
                           int value,
                           std::size_t size,
                           void* stream) = 0;

  virtual Error create_stream(void** stream) = 0;
  virtual Error destroy_stream(void* stream) = 0;
  virtual Error synchronize_stream(void* stream) = 0;
  virtual Error query_stream(void* stream) = 0;
  virtual Error stream_tickets(void* stream,
                               infini_extension::StreamTickets* tickets) = 0;
  virtual Error launch_host_function(void* stream,
                                     void (*function)(void*),
                                     void* argument) = 0;
  virtual Error wait_event(void* stream, void* event) = 0;

  virtual Error create_event(void** event, unsigned flags) = 0;
  virtual Error destroy_event(void* event) = 0;
  virtual Error record_event(void* event, void* stream) = 0;
  virtual Error query_event(void* event) = 0;
  virtual Error synchronize_event(void* event) = 0;
  virtual Error elapsed_time(float* milliseconds, void* start, void* end) = 0;

 protected:
  explicit Backend(int type) noexcept : type_{type} {}

  ~Backend() = default;

 private:
  int type_;
};

// The backends of this library, the one that threads start with first; never
// empty. Defined once per library.
std::span<Backend* const> backends();

// Null when the library has no such backend.
Backend* find_backend(int device_type);

// The backend that the calling thread selected.
Backend& current_backend();
void select_backend(Backend& backend) noexcept;

// The current device of the calling thread, for memory_info.
Error current_memory_info(Backend& backend,
                          std::size_t* free,
                          std::size_t* total);

// What infini_extension::RtTable::set_executor_hooks stored; backends read it
// when they start a worker thread.
infini_extension::ExecutorHooks executor_hooks();

}  // namespace infini::rt::core
