// The runtime API of a library that holds the CPU backend, under the name of
// the header that upstream generates for its backends.
//
// Every function acts on the backend that the calling thread selected, may be
// called from any thread, never throws and returns an error: 0 for success, 1
// for an invalid argument, 2 for exhausted memory, 400 for a stream or event
// that does not exist (never created, or destroyed), 600 for unfinished work
// (EventQuery), 800 for a call that a host function may not make because it
// would wait for itself. Out-parameters are written only on success, except
// that the allocation functions store null when memory is exhausted.
//
// Streams: work of one stream runs one after the other in the order of
// submission. The null stream is the default stream of the current device; it
// is not ordered with other streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <infini/rt/cpu/device_.h>
#include <infini/rt/cpu/runtime_.h>
#include <infini/rt/detail/data_type.h>
#include <infini/rt/detail/device.h>
#include <infini/rt/detail/export.h>
#include <infini/rt/detail/hash.h>
#include <infini/rt/detail/runtime.h>
#include <infini/rt/detail/tensor_view.h>

namespace infini::rt {

// Selects the backend of the calling thread. A backend that the library does
// not hold is ignored and the selection stays: compare runtime_device_type()
// where that may happen.
INFINI_API void set_runtime_device_type(Device::Type device_type);

// The backend of the calling thread, kCpu in a thread that has not selected
// one.
INFINI_API Device::Type runtime_device_type();

namespace runtime {

namespace generated_detail {

using DefaultErrorRuntime = Runtime<Device::Type::kCpu>;

inline constexpr Device::Type kDefaultDeviceType =
    DefaultErrorRuntime::kDeviceType;

}  // namespace generated_detail

using Error = generated_detail::DefaultErrorRuntime::Error;
using Stream = generated_detail::DefaultErrorRuntime::Stream;
using Event = void*;
using MemcpyKind = std::remove_cv_t<
    decltype(generated_detail::DefaultErrorRuntime::kMemcpyHostToHost)>;

inline constexpr Error kSuccess =
    generated_detail::DefaultErrorRuntime::kSuccess;

inline constexpr MemcpyKind kMemcpyHostToHost =
    generated_detail::DefaultErrorRuntime::kMemcpyHostToHost;
inline constexpr MemcpyKind kMemcpyHostToDevice =
    generated_detail::DefaultErrorRuntime::kMemcpyHostToDevice;
inline constexpr MemcpyKind kMemcpyDeviceToHost =
    generated_detail::DefaultErrorRuntime::kMemcpyDeviceToHost;
inline constexpr MemcpyKind kMemcpyDeviceToDevice =
    generated_detail::DefaultErrorRuntime::kMemcpyDeviceToDevice;

// Devices. The current device belongs to the thread and is 0 at first.
INFINI_API Error SetDevice(int device);
INFINI_API Error GetDevice(int* device);
INFINI_API Error GetDeviceCount(int* count);
// Returns after all work submitted to the current device before the call.
INFINI_API Error DeviceSynchronize();

// Memory of the current device, and host memory that MemcpyAsync may use.
// Host blocks are aligned to 64 bytes, device blocks as malloc's; a block of
// size 0 has an address of its own.
// A request above the total memory fails. The caller owns a block and gives it
// back once, with null doing nothing, from any thread that has selected the
// same backend.
INFINI_API Error Malloc(void** ptr, std::size_t size);
INFINI_API Error MallocHost(void** ptr, std::size_t size);
INFINI_API Error Free(void* ptr);
INFINI_API Error FreeHost(void* ptr);
// The block may be used by work submitted to the stream after the call;
// FreeAsync gives it back after the work submitted before the call.
INFINI_API Error MallocAsync(void** ptr, std::size_t size, Stream stream);
INFINI_API Error FreeAsync(void* ptr, Stream stream);
// Bytes of memory that are free and that exist on the current device.
INFINI_API Error MemGetInfo(std::size_t* free, std::size_t* total);

// Copies `count` bytes between blocks that do not overlap, or fills them. Null
// addresses are an invalid argument unless count is 0, as is an unknown kind.
// The asynchronous functions work in the order of the stream; memory is the
// caller's until the work has finished.
INFINI_API Error Memcpy(void* dst,
                        const void* src,
                        std::size_t count,
                        MemcpyKind kind);
INFINI_API Error MemcpyAsync(void* dst,
                             const void* src,
                             std::size_t count,
                             MemcpyKind kind,
                             Stream stream);
INFINI_API Error Memset(void* ptr, int value, std::size_t count);
INFINI_API Error MemsetAsync(void* ptr,
                             int value,
                             std::size_t count,
                             Stream stream);

// A new stream of the current device, owned by the caller. Destroying one waits
// for its work; destroying the null stream does nothing.
INFINI_API Error StreamCreate(Stream* stream);
INFINI_API Error StreamDestroy(Stream stream);
// Returns after all work submitted to the stream before the call.
INFINI_API Error StreamSynchronize(Stream stream);
// Work submitted to the stream after the call runs after the event's latest
// record; an event that was never recorded does not hold it back. `flags` has
// no meaning and is ignored.
INFINI_API Error StreamWaitEvent(Stream stream,
                                 Event event,
                                 unsigned int flags);

// An event, owned by the caller. Bit 1 of `flags` (value 2) makes one without
// time; other bits are ignored. Destroying null does nothing.
INFINI_API Error EventCreate(Event* event);
INFINI_API Error EventCreateWithFlags(Event* event, unsigned int flags);
INFINI_API Error EventDestroy(Event event);
// Marks the point that the stream has reached by now; replaces an earlier
// record.
INFINI_API Error EventRecord(Event event, Stream stream);
// 0 when the work before the latest record has finished or nothing was
// recorded; waits for it.
INFINI_API Error EventQuery(Event event);
INFINI_API Error EventSynchronize(Event event);
// Milliseconds from start's record to end's, in steps of 1 ns as far as float
// holds them. Error 400 when one was never recorded or keeps no time.
INFINI_API Error EventElapsedTime(float* ms, Event start, Event end);

}  // namespace runtime

}  // namespace infini::rt
