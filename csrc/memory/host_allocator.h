// Pinned host memory: PyTorch's caching host allocator over the runtime's
// MallocHost and FreeHost.
//
// A block that a copy was recorded on (record_event) is used again only after
// that copy's stream has passed it.
#pragma once

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/Stream.h>

namespace torch_infini {

at::HostAllocator& host_allocator();

// True for any address inside memory that the allocator got from the runtime.
// False in a forked child.
bool is_pinned_memory(const void* address);

// Keeps the pinned memory from being used again until the stream's work so far
// has finished. False when the memory is not this allocator's.
bool record_pinned_use(const c10::DataPtr& data, c10::Stream stream);

}  // namespace torch_infini
