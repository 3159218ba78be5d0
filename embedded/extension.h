// The extension table: what the embedded Infini stack offers beyond upstream's
// API.
//
// Both libraries export one C function each, which a consumer declares weak: an
// upstream library lacks it, so the reference stays null and the documented
// upstream behaviour applies. The table is plain data and function pointers, so
// neither side needs the other's headers.
//
// Invariants: a field never changes its place or meaning; new fields are
// appended and `struct_size` grows; a consumer asks for the version it was
// built with and gets null from a library that is older. All functions are
// thread-safe and none throws. A stream is the `void*` that StreamCreate
// returned; null is the default stream of the calling thread's current device.
// Errors are those of the runtime API: 0 is success.
#pragma once

#include <cstddef>
#include <cstdint>

namespace infini_extension {

inline constexpr std::uint32_t kRtVersion = 1;
inline constexpr std::uint32_t kOpsVersion = 1;

// Device::Type value of the emulated accelerator; upstream's enumeration ends
// at 8.
inline constexpr int kEmulatorDeviceType = 100;

// What a query returns for work that has not finished; the value of
// cudaErrorNotReady.
inline constexpr int kNotReady = 600;

// Bits of `RtTable::capabilities`.
// NOLINTNEXTLINE(performance-enum-size): the type is part of the interface.
enum Capability : std::uint64_t {
  kAsyncMemcpy = 1U << 0,     // MemcpyAsync and MemsetAsync succeed
  kHostAllocation = 1U << 1,  // MallocHost returns memory usable by MemcpyAsync
  kAsyncAllocation = 1U << 2,  // MallocAsync and FreeAsync succeed
  kEvents = 1U << 3,      // events can be created, recorded, queried and timed
  kHostAccess = 1U << 4,  // the host may read and write device memory
  // Work has finished when the submitting call returns.
  kInlineStreams = 1U << 5,
};

struct DeviceProperties {
  char name[128];  // NUL-terminated, e.g. the processor's model name
  std::uint64_t total_memory;  // bytes
  int multi_processor_count;   // units that run kernels at the same time
  int major;                   // capability; meaning is the backend's own
  int minor;
};

// Settings of the submitting thread that a task carries to the thread which
// runs it (thread count, rounding mode, determinism, ...), packed by the
// consumer.
using TaskSettings = std::uint64_t;

// Called by the runtime around queued work. Any pointer may be null. None may
// throw.
struct ExecutorHooks {
  void (*start)();  // once in each worker thread, before its first task
  void (*sleep)();  // before a worker thread blocks for lack of work
  // In the submitting thread, once per queued task.
  TaskSettings (*capture_settings)();
  // In the worker, before a task whose settings differ.
  void (*apply_settings)(TaskSettings);
};

// Tickets count the tasks of one stream. A task with ticket t has finished iff
// completed >= t.
struct StreamTickets {
  std::uint64_t submitted;
  std::uint64_t completed;
};

struct RtTable {
  std::uint32_t version;      // the newest version that this table serves
  std::uint32_t struct_size;  // bytes of the table as the library was built
  const char* library;        // name and version for people, static storage

  // Capability bits of a backend, 0 for one that is not present.
  std::uint64_t (*capabilities)(int device_type);
  // Writes at most `capacity` Device::Type values and returns how many backends
  // are present.
  std::size_t (*backends)(int* device_types, std::size_t capacity);
  // Static storage; never null, also for unknown errors.
  const char* (*error_string)(int error);
  int (*device_properties)(int device, DeviceProperties* properties);
  // Bytes of device memory. As MemGetInfo, for a given device.
  int (*memory_info)(int device, std::size_t* free, std::size_t* total);

  // 0 when all work submitted to the stream has finished, kNotReady when not.
  int (*stream_query)(void* stream);
  // Runs function(argument) after all work submitted to the stream before and
  // ahead of all work submitted after. The function may not call the runtime on
  // the same stream.
  int (*launch_host_function)(void* stream,
                              void (*function)(void*),
                              void* argument);
  int (*stream_tickets)(void* stream, StreamTickets* tickets);
  // Copies the hooks; they apply to worker threads started later. Null restores
  // none.
  int (*set_executor_hooks)(const ExecutorHooks* hooks);
};

struct OpsTable {
  std::uint32_t version;
  std::uint32_t struct_size;
  const char* library;

  // Bit i is set when operator `name` ("Add", "Mul", ...) computes DataType i
  // correctly: rounded to nearest even, accumulated in at least the type's own
  // precision. 0 for an unknown operator.
  std::uint32_t (*exact_dtypes)(const char* name);
  // Where the GEMM of this library comes from, static storage.
  const char* (*gemm_library)();
};

}  // namespace infini_extension

extern "C" {
// Null when the library is older than `version`. The table has static storage.
const infini_extension::RtTable* infini_rt_extension(std::uint32_t version);
const infini_extension::OpsTable* infini_ops_extension(std::uint32_t version);
}
