// Device memory: a c10::DeviceAllocator over a cache of blocks for each device
// (csrc/memory/block_cache.h).
//
// Invariants. Data is aligned to 64 bytes. Memory is used again only after all
// work that was recorded on it (record_use, Tensor.record_stream) has finished,
// however early its last tensor dies; the free itself never blocks. Where the
// host can address device memory the DataPtr's context is the data pointer, as
// c10's raw_allocate demands.
//
// All functions may be called from any thread.
#pragma once

#include <cstddef>

#include <c10/core/Allocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Stream.h>

namespace torch_infini {

// The allocator of kDeviceType; allocates on the thread's current device.
// Raises torch.OutOfMemoryError with the sizes when memory is exhausted.
c10::DeviceAllocator& device_allocator();

// Memory on a given device. `tag` becomes the DataPtr's device: infini for
// tensors, CPU for what host kernels allocate (see csrc/memory/host_route.h).
c10::DataPtr allocate_device_memory(std::size_t nbytes,
                                    c10::DeviceIndex index,
                                    c10::Device tag);

// True if the pointer was made by this allocator, on any device and under any
// tag.
bool is_device_memory(const c10::DataPtr& data);
// The same for one device. Memory of no bytes is every device's.
bool is_memory_of(const c10::DataPtr& data, c10::DeviceIndex index);

// The same memory once more: it is freed when every DataPtr of it is gone, so
// that a storage may be resized while something else still reads what it held.
// Null for memory of other allocators.
c10::DataPtr share_device_memory(const c10::DataPtr& data, c10::Device tag);

// Frees memory by its data pointer, as a raw deleter does. Returns false, and
// does nothing, for memory of other allocators. Only where the host can address
// device memory.
bool free_if_device_memory(void* data) noexcept;

// Keeps the memory, once freed, until all work submitted to the stream by then
// has finished. False, and without effect, for null and for memory of other
// allocators.
bool record_use(const c10::DataPtr& data, c10::Stream stream);

}  // namespace torch_infini
