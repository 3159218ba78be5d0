// Blocks whose free waits until streams have finished with them.
#pragma once

#include <mutex>
#include <vector>

#include <c10/core/Stream.h>

#include "csrc/memory/block_cache.h"

namespace torch_infini {

// Gives a block back to its device's cache once the work submitted to `streams`
// so far has finished, well or not; at once if there are none. Does not block,
// except where an event cannot be recorded and it has to wait for the stream
// instead. In a forked child the block is lost.
void free_after(Block* block, const std::vector<c10::Stream>* streams) noexcept;

// Frees what has become free. One load when nothing waits.
void process_deferred_frees() noexcept;

// Waits for everything that is deferred and frees it.
void drain_deferred_frees() noexcept;

// Guards the lists of streams that blocks carry.
std::unique_lock<std::mutex> lock_deferred_frees();

}  // namespace torch_infini
