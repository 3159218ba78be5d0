#include "embedded/extension.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <infini/rt/detail/export.h>

#include "embedded/rt/core/backend.h"
#include "embedded/rt/core/error.h"

extern "C" INFINI_API const infini_extension::RtTable* infini_rt_extension(
    std::uint32_t version);

namespace infini::rt::core {

namespace {

using infini_extension::DeviceProperties;
using infini_extension::ExecutorHooks;
using infini_extension::RtTable;
using infini_extension::StreamTickets;

constinit std::mutex hooks_mutex;
constinit ExecutorHooks stored_hooks{};

std::uint64_t capabilities(int device_type) {
  const Backend* backend = find_backend(device_type);
  return backend == nullptr ? 0 : backend->capabilities();
}

std::size_t backend_types(int* device_types, std::size_t capacity) {
  const std::span<Backend* const> present = backends();
  const std::size_t count =
      device_types == nullptr ? 0 : std::min(capacity, present.size());
  for (std::size_t i = 0; i < count; ++i) {
    device_types[i] = present[i]->type();
  }
  return present.size();
}

int device_properties(int device, DeviceProperties* properties) {
  return current_backend().properties(device, properties);
}

int memory_info(int device, std::size_t* free, std::size_t* total) {
  return current_backend().memory_info(device, free, total);
}

int stream_query(void* stream) {
  return current_backend().query_stream(stream);
}

int launch_host_function(void* stream,
                         void (*function)(void*),
                         void* argument) {
  return current_backend().launch_host_function(stream, function, argument);
}

int stream_tickets(void* stream, StreamTickets* tickets) {
  return current_backend().stream_tickets(stream, tickets);
}

int set_executor_hooks(const ExecutorHooks* hooks) {
  const std::scoped_lock lock{hooks_mutex};
  stored_hooks = hooks == nullptr ? ExecutorHooks{} : *hooks;
  return kSuccess;
}

constexpr RtTable kTable{
    .version = infini_extension::kRtVersion,
    .struct_size = sizeof(RtTable),
    .library = INFINI_RT_LIBRARY,
    .capabilities = capabilities,
    .backends = backend_types,
    .error_string = error_string,
    .device_properties = device_properties,
    .memory_info = memory_info,
    .stream_query = stream_query,
    .launch_host_function = launch_host_function,
    .stream_tickets = stream_tickets,
    .set_executor_hooks = set_executor_hooks,
};

}  // namespace

ExecutorHooks executor_hooks() {
  const std::scoped_lock lock{hooks_mutex};
  return stored_hooks;
}

}  // namespace infini::rt::core

const infini_extension::RtTable* infini_rt_extension(std::uint32_t version) {
  return version > infini_extension::kRtVersion ? nullptr
                                                : &infini::rt::core::kTable;
}
