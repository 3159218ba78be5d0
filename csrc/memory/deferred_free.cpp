#include "csrc/memory/deferred_free.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "csrc/memory/block_cache.h"
#include "csrc/memory/device_segments.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/event.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

struct Deferred {
  Block* block;
  std::vector<OwnedEvent> events;
};

struct State {
  std::mutex mutex;
  std::list<Deferred> waiting;
  std::atomic<std::size_t> count{0};
};

// Leaked: tensors may die while static objects are destroyed.
State& state() {
  static auto* instance = new State();
  return *instance;
}

void free_now(Block* block) noexcept {
  if (!in_bad_fork()) {
    block_cache(block->device).free(block);
  }
}

std::vector<OwnedEvent> record_all(const std::vector<c10::Stream>& streams) {
  std::vector<OwnedEvent> events;
  events.reserve(streams.size());
  for (const c10::Stream stream : streams) {
    events.push_back(recorded_event(stream));
  }
  return events;
}

void wait_for_all(const std::vector<c10::Stream>& streams) noexcept {
  for (const c10::Stream stream : streams) {
    wait_quietly(stream);
  }
}

bool finished(const Deferred& entry) noexcept {
  return std::all_of(entry.events.begin(), entry.events.end(), is_over);
}

void wait_for(const Deferred& entry) noexcept {
  for (const OwnedEvent& event : entry.events) {
    try {
      synchronize_event(event.get());
    } catch (const std::exception& error) {
      warn_in_destructor(error);
    }
  }
}

}  // namespace

std::unique_lock<std::mutex> lock_deferred_frees() {
  return std::unique_lock<std::mutex>(state().mutex);
}

void free_after(Block* block,
                const std::vector<c10::Stream>* streams) noexcept {
  if (streams == nullptr || streams->empty() || in_bad_fork()) {
    free_now(block);
    return;
  }
  block_cache(block->device).retire(block);
  try {
    Deferred entry{block, record_all(*streams)};
    const auto lock = lock_deferred_frees();
    state().waiting.push_back(std::move(entry));
    state().count.fetch_add(1, std::memory_order_relaxed);
  } catch (...) {
    wait_for_all(*streams);
    free_now(block);
  }
}

void process_deferred_frees() noexcept {
  if (state().count.load(std::memory_order_relaxed) == 0 || in_bad_fork()) {
    return;
  }
  std::list<Deferred> ready;
  try {
    const auto lock = lock_deferred_frees();
    auto& waiting = state().waiting;
    for (auto entry = waiting.begin(); entry != waiting.end();) {
      const auto next = std::next(entry);
      if (finished(*entry)) {
        ready.splice(ready.end(), waiting, entry);
      }
      entry = next;
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): tried again at the next
                   // allocation
  }
  for (const Deferred& entry : ready) {
    free_now(entry.block);
  }
  state().count.fetch_sub(ready.size(), std::memory_order_relaxed);
}

void drain_deferred_frees() noexcept {
  std::list<Deferred> all;
  {
    const auto lock = lock_deferred_frees();
    all.swap(state().waiting);
  }
  for (const Deferred& entry : all) {
    wait_for(entry);
    free_now(entry.block);
  }
  state().count.fetch_sub(all.size(), std::memory_order_relaxed);
}

}  // namespace torch_infini
