#include <cstddef>

#include <infini/rt/cpu/runtime_.h>

#include "embedded/rt/core/backend.h"

namespace infini::rt::runtime {

namespace {

using Cpu = Runtime<Device::Type::kCpu>;

core::Backend& cpu() {
  static core::Backend* const backend =
      core::find_backend(static_cast<int>(Cpu::kDeviceType));
  return *backend;
}

}  // namespace

int Cpu::SetDevice(int device) {
  return cpu().set_device(device);
}

int Cpu::GetDevice(int* device) {
  return cpu().get_device(device);
}

int Cpu::GetDeviceCount(int* count) {
  return cpu().device_count(count);
}

int Cpu::DeviceSynchronize() {
  return cpu().synchronize_device();
}

int Cpu::Malloc(void** ptr, std::size_t size) {
  return cpu().allocate(ptr, size);
}

int Cpu::MallocHost(void** ptr, std::size_t size) {
  return cpu().allocate_host(ptr, size);
}

int Cpu::MallocAsync(void** ptr, std::size_t size, Stream stream) {
  return cpu().allocate_async(ptr, size, stream);
}

int Cpu::Free(void* ptr) {
  return cpu().release(ptr);
}

int Cpu::FreeHost(void* ptr) {
  return cpu().release_host(ptr);
}

int Cpu::FreeAsync(void* ptr, Stream stream) {
  return cpu().release_async(ptr, stream);
}

int Cpu::MemGetInfo(std::size_t* free, std::size_t* total) {
  return core::current_memory_info(cpu(), free, total);
}

int Cpu::Memcpy(void* dst, const void* src, std::size_t count, int kind) {
  return cpu().copy(dst, src, count, kind);
}

int Cpu::MemcpyAsync(
    void* dst, const void* src, std::size_t count, int kind, Stream stream) {
  return cpu().copy_async(dst, src, count, kind, stream);
}

int Cpu::Memset(void* ptr, int value, std::size_t count) {
  return cpu().fill(ptr, value, count);
}

int Cpu::MemsetAsync(void* ptr, int value, std::size_t count, Stream stream) {
  return cpu().fill_async(ptr, value, count, stream);
}

int Cpu::StreamCreate(Stream* stream) {
  return cpu().create_stream(stream);
}

int Cpu::StreamDestroy(Stream stream) {
  return cpu().destroy_stream(stream);
}

int Cpu::StreamSynchronize(Stream stream) {
  return cpu().synchronize_stream(stream);
}

int Cpu::StreamWaitEvent(Stream stream, Event event, unsigned int /*flags*/) {
  return cpu().wait_event(stream, event);
}

int Cpu::EventCreate(Event* event) {
  return cpu().create_event(event, 0);
}

int Cpu::EventCreateWithFlags(Event* event, unsigned int flags) {
  return cpu().create_event(event, flags);
}

int Cpu::EventRecord(Event event, Stream stream) {
  return cpu().record_event(event, stream);
}

int Cpu::EventQuery(Event event) {
  return cpu().query_event(event);
}

int Cpu::EventSynchronize(Event event) {
  return cpu().synchronize_event(event);
}

int Cpu::EventDestroy(Event event) {
  return cpu().destroy_event(event);
}

int Cpu::EventElapsedTime(float* ms, Event start, Event end) {
  return cpu().elapsed_time(ms, start, end);
}

}  // namespace infini::rt::runtime
