// A stream that runs each task in the thread that submits it.
//
// Invariant: tasks run one at a time in the order of their tickets, so the task
// with ticket t (counted from 1) has finished iff completed >= t. A thread that
// submits while another thread's task runs waits for its turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "embedded/extension.h"
#include "embedded/rt/core/error.h"

namespace infini::rt::core {

class Stream {
 public:
  // Makes the stream new. No other thread may use it.
  void reset() noexcept;

  // Runs task() in its turn. kNotPermitted inside a host function of this
  // stream. An exception of the task ends the task and is the caller's.
  template <typename Task>
  Error run(Task&& task) {
    if (runs_calling_thread()) [[unlikely]] {
      return kNotPermitted;
    }
    const Turn turn{*this};
    std::forward<Task>(task)();
    return kSuccess;
  }

  // As run, for a function that may call the runtime on other streams.
  Error run_host_function(void (*function)(void*), void* argument);

  // Waits for the tasks submitted before the call. kNotPermitted inside a host
  // function of this stream.
  Error synchronize() noexcept;

  // kSuccess or kNotReady.
  Error query() const noexcept;

  infini_extension::StreamTickets tickets() const noexcept;

 private:
  // The turn of one task: waits for it, and completes the task at the end of
  // the scope.
  class Turn {
   public:
    explicit Turn(Stream& stream) noexcept
        : stream_{stream}, before_{stream.submitted_++} {
      stream.wait_until_completed(before_);
    }

    ~Turn() { stream_.complete(before_ + 1); }

    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Stream& stream_;
    std::uint64_t before_;
  };

  bool runs_calling_thread() const noexcept;
  void wait_until_completed(std::uint64_t ticket) const noexcept;
  void complete(std::uint64_t ticket) noexcept;

  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> completed_{0};
};

// Whether the calling thread runs a host function of any stream.
bool in_host_function() noexcept;

}  // namespace infini::rt::core
