#include "embedded/rt/core/stream.h"

#include <atomic>
#include <cstdint>

namespace infini::rt::core {

namespace {

class HostFunctionScope {
 public:
  explicit HostFunctionScope(const Stream& stream) noexcept : stream_{&stream} {
    innermost = this;
  }

  ~HostFunctionScope() { innermost = outer_; }

  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;

  static bool any() noexcept { return innermost != nullptr; }

  static bool runs(const Stream& stream) noexcept {
    for (const HostFunctionScope* scope = innermost; scope != nullptr;
         scope = scope->outer_) {
      if (scope->stream_ == &stream) {
        return true;
      }
    }
    return false;
  }

 private:
  static constinit thread_local const HostFunctionScope* innermost;

  const Stream* stream_;
  const HostFunctionScope* outer_ = innermost;
};

constinit thread_local const HostFunctionScope* HostFunctionScope::innermost =
    nullptr;

}  // namespace

void Stream::reset() noexcept {
  submitted_.store(0, std::memory_order_relaxed);
  completed_.store(0, std::memory_order_relaxed);
}

Error Stream::run_host_function(void (*function)(void*), void* argument) {
  return run([&] {
    const HostFunctionScope scope{*this};
    function(argument);
  });
}

Error Stream::synchronize() noexcept {
  if (runs_calling_thread()) {
    return kNotPermitted;
  }
  wait_until_completed(submitted_.load(std::memory_order_acquire));
  return kSuccess;
}

Error Stream::query() const noexcept {
  const std::uint64_t submitted = submitted_.load(std::memory_order_acquire);
  return completed_.load(std::memory_order_acquire) >= submitted ? kSuccess
                                                                 : kNotReady;
}

infini_extension::StreamTickets Stream::tickets() const noexcept {
  const std::uint64_t completed = completed_.load(std::memory_order_acquire);
  return {.submitted = submitted_.load(std::memory_order_acquire),
          .completed = completed};
}

bool Stream::runs_calling_thread() const noexcept {
  return HostFunctionScope::runs(*this);
}

void Stream::wait_until_completed(std::uint64_t ticket) const noexcept {
  std::uint64_t completed = completed_.load(std::memory_order_acquire);
  while (completed < ticket) {
    completed_.wait(completed, std::memory_order_acquire);
    completed = completed_.load(std::memory_order_acquire);
  }
}

void Stream::complete(std::uint64_t ticket) noexcept {
  completed_.store(ticket, std::memory_order_release);
  completed_.notify_all();
}

bool in_host_function() noexcept {
  return HostFunctionScope::any();
}

}  // namespace infini::rt::core
