// The fake backend. It calls itself the CPU, the only backend whose headers
// there are, but has several devices, real asynchrony and, if asked, memory
// that the host cannot access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "embedded/extension.h"
#include "embedded/rt/core/backend.h"
#include "tests/fake_rt/calls.h"
#include "tests/fake_rt/memory.h"
#include "tests/fake_rt/scheduler.h"

namespace fake_rt {

class FakeBackend final : public infini::rt::core::Backend {
 public:
  // The only one; never destroyed.
  static FakeBackend& instance();

  Calls& calls() { return calls_; }

  Memory& memory() { return memory_; }

  Scheduler& scheduler() { return scheduler_; }

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
  // Unlike cudaFree it does not wait: a block that queued work still needs is a
  // violation.
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
  FakeBackend();

  Error copy_task(
      void* to, const void* from, std::size_t size, int kind, Task* task);
  Error fill_task(void* block, int value, std::size_t size, Task* task);

  Calls calls_;
  Memory memory_;
  Scheduler scheduler_;
};

}  // namespace fake_rt
