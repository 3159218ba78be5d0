#include <cstddef>

#include <infini/rt.h>

#include "embedded/rt/core/backend.h"

namespace infini::rt {

void set_runtime_device_type(Device::Type device_type) {
  if (core::current_backend().type() == static_cast<int>(device_type)) {
    return;
  }
  if (core::Backend* backend =
          core::find_backend(static_cast<int>(device_type))) {
    core::select_backend(*backend);
  }
}

Device::Type runtime_device_type() {
  return static_cast<Device::Type>(core::current_backend().type());
}

namespace runtime {

using core::current_backend;

Error SetDevice(int device) {
  return current_backend().set_device(device);
}

Error GetDevice(int* device) {
  return current_backend().get_device(device);
}

Error GetDeviceCount(int* count) {
  return current_backend().device_count(count);
}

Error DeviceSynchronize() {
  return current_backend().synchronize_device();
}

Error Malloc(void** ptr, std::size_t size) {
  return current_backend().allocate(ptr, size);
}

Error MallocHost(void** ptr, std::size_t size) {
  return current_backend().allocate_host(ptr, size);
}

Error MallocAsync(void** ptr, std::size_t size, Stream stream) {
  return current_backend().allocate_async(ptr, size, stream);
}

Error Free(void* ptr) {
  return current_backend().release(ptr);
}

Error FreeHost(void* ptr) {
  return current_backend().release_host(ptr);
}

Error FreeAsync(void* ptr, Stream stream) {
  return current_backend().release_async(ptr, stream);
}

Error MemGetInfo(std::size_t* free, std::size_t* total) {
  return core::current_memory_info(current_backend(), free, total);
}

Error Memcpy(void* dst, const void* src, std::size_t count, MemcpyKind kind) {
  return current_backend().copy(dst, src, count, kind);
}

Error MemcpyAsync(void* dst,
                  const void* src,
                  std::size_t count,
                  MemcpyKind kind,
                  Stream stream) {
  return current_backend().copy_async(dst, src, count, kind, stream);
}

Error Memset(void* ptr, int value, std::size_t count) {
  return current_backend().fill(ptr, value, count);
}

Error MemsetAsync(void* ptr, int value, std::size_t count, Stream stream) {
  return current_backend().fill_async(ptr, value, count, stream);
}

Error StreamCreate(Stream* stream) {
  return current_backend().create_stream(stream);
}

Error StreamDestroy(Stream stream) {
  return current_backend().destroy_stream(stream);
}

Error StreamSynchronize(Stream stream) {
  return current_backend().synchronize_stream(stream);
}

Error StreamWaitEvent(Stream stream, Event event, unsigned int /*flags*/) {
  return current_backend().wait_event(stream, event);
}

Error EventCreate(Event* event) {
  return current_backend().create_event(event, 0);
}

Error EventCreateWithFlags(Event* event, unsigned int flags) {
  return current_backend().create_event(event, flags);
}

Error EventRecord(Event event, Stream stream) {
  return current_backend().record_event(event, stream);
}

Error EventQuery(Event event) {
  return current_backend().query_event(event);
}

Error EventSynchronize(Event event) {
  return current_backend().synchronize_event(event);
}

Error EventDestroy(Event event) {
  return current_backend().destroy_event(event);
}

Error EventElapsedTime(float* ms, Event start, Event end) {
  return current_backend().elapsed_time(ms, start, end);
}

}  // namespace runtime

}  // namespace infini::rt
