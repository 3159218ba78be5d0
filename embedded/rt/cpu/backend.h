// The CPU backend: one device whose memory is the host's.
//
// Every stream runs its work in the submitting thread, so a call has done its
// work when it returns; the asynchronous functions differ from the others only
// in the order they keep.
#pragma once

#include <cstddef>
#include <cstdint>

#include "embedded/extension.h"
#include "embedded/rt/core/backend.h"
#include "embedded/rt/core/event.h"
#include "embedded/rt/core/handle_table.h"
#include "embedded/rt/core/stream.h"

namespace infini::rt::cpu {

using core::Error;

class CpuBackend final : public core::Backend {
 public:
  // The only one. It is never destroyed, so that work at process exit finds it.
  static CpuBackend& instance();

  std::uint64_t capabilities() const override;
  Error properties(int device,
                   infini_extension::DeviceProperties* properties) override;
  Error memory_info(int device, std::size_t* free, std::size_t* total) override;

  Error set_device(int device) override;
  Error get_device(int* device) override;
  Error device_count(int* count) override;
  Error synchronize_device() override;

  Error allocate(void** block, std::size_t size) override;
  Error allocate_host(void** block, std::size_t size) override;
  Error allocate_async(void** block, std::size_t size, void* stream) override;
  Error release(void* block) override;
  Error release_host(void* block) override;
  Error release_async(void* block, void* stream) override;

  Error copy(void* to, const void* from, std::size_t size, int kind) override;
  Error copy_async(void* to,
                   const void* from,
                   std::size_t size,
                   int kind,
                   void* stream) override;
  Error fill(void* block, int value, std::size_t size) override;
  Error fill_async(void* block,
                   int value,
                   std::size_t size,
                   void* stream) override;

  Error create_stream(void** stream) override;
  Error destroy_stream(void* stream) override;
  Error synchronize_stream(void* stream) override;
  Error query_stream(void* stream) override;
  Error stream_tickets(void* stream,
                       infini_extension::StreamTickets* tickets) override;
  Error launch_host_function(void* stream,
                             void (*function)(void*),
                             void* argument) override;
  Error wait_event(void* stream, void* event) override;

  Error create_event(void** event, unsigned flags) override;
  Error destroy_event(void* event) override;
  Error record_event(void* event, void* stream) override;
  Error query_event(void* event) override;
  Error synchronize_event(void* event) override;
  Error elapsed_time(float* milliseconds, void* start, void* end) override;

 private:
  CpuBackend();

  // Null for a handle without stream.
  core::Stream* find_stream(void* stream) noexcept;

  core::Stream default_stream_;
  core::HandleTable<core::Stream, 8> streams_;
  core::HandleTable<core::Event, 0> events_;
  std::uint64_t total_memory_;
};

}  // namespace infini::rt::cpu
