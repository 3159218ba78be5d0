// The block cache of each device, over the runtime's Malloc and Free.
#pragma once

#include <c10/core/Device.h>

#include "csrc/memory/block_cache.h"

namespace torch_infini {

// Made on first use, lives until the process ends. Any thread.
BlockCache& block_cache(c10::DeviceIndex index);

// Gives what no tensor uses back to the runtime, on every device.
void release_unused_segments() noexcept;

}  // namespace torch_infini
