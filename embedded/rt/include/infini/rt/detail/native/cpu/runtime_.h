// The interface of the CPU backend.
//
// These functions act on the CPU whichever backend the thread has selected;
// otherwise they are the functions of the same name in <infini/rt/generated.h>,
// where their contracts stand. They are exported by this library only: upstream
// defines them in its header.
#pragma once

#include <cstddef>

#include <infini/rt/detail/device.h>
#include <infini/rt/detail/export.h>
#include <infini/rt/detail/runtime.h>

namespace infini::rt::runtime {

template <>
struct INFINI_API
    Runtime<Device::Type::kCpu> : DeviceRuntime<Runtime<Device::Type::kCpu>> {
  using Error = int;
  using Stream = void*;
  using Event = void*;

  static constexpr Device::Type kDeviceType = Device::Type::kCpu;

  static constexpr Error kSuccess = 0;
  static constexpr Error kErrorInvalidValue = 1;
  static constexpr Error kErrorMemoryAllocation = 2;

  static constexpr int kMemcpyHostToHost = 0;
  static constexpr int kMemcpyHostToDevice = 1;
  static constexpr int kMemcpyDeviceToHost = 2;
  static constexpr int kMemcpyDeviceToDevice = 3;

  static Error SetDevice(int device);
  static Error GetDevice(int* device);
  static Error GetDeviceCount(int* count);
  static Error DeviceSynchronize();

  static Error Malloc(void** ptr, std::size_t size);
  static Error MallocHost(void** ptr, std::size_t size);
  static Error MallocAsync(void** ptr, std::size_t size, Stream stream);
  static Error Free(void* ptr);
  static Error FreeHost(void* ptr);
  static Error FreeAsync(void* ptr, Stream stream);
  static Error MemGetInfo(std::size_t* free, std::size_t* total);

  static Error Memcpy(void* dst, const void* src, std::size_t count, int kind);
  static Error MemcpyAsync(
      void* dst, const void* src, std::size_t count, int kind, Stream stream);
  static Error Memset(void* ptr, int value, std::size_t count);
  static Error MemsetAsync(void* ptr,
                           int value,
                           std::size_t count,
                           Stream stream);

  static Error StreamCreate(Stream* stream);
  static Error StreamDestroy(Stream stream);
  static Error StreamSynchronize(Stream stream);
  static Error StreamWaitEvent(Stream stream, Event event, unsigned int flags);

  static Error EventCreate(Event* event);
  static Error EventCreateWithFlags(Event* event, unsigned int flags);
  static Error EventRecord(Event event, Stream stream);
  static Error EventQuery(Event event);
  static Error EventSynchronize(Event event);
  static Error EventDestroy(Event event);
  static Error EventElapsedTime(float* ms, Event start, Event end);
};

static_assert(Runtime<Device::Type::kCpu>::Validate());

}  // namespace infini::rt::runtime
