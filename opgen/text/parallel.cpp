#include "opgen/text/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace opgen::text {
namespace {

class Loop {
 public:
  Loop(std::size_t count, const std::function<void(std::size_t)>& body)
      : count_(count), failed_(count), body_(body) {}

  void work() {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      try {
        body_(i);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (i < failed_) {
          failed_ = i;
          error_ = std::current_exception();
        }
      }
    }
  }

  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  std::size_t count_;
  std::size_t failed_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::size_t count,
                  std::size_t threads,
                  const std::function<void(std::size_t)>& body) {
  Loop loop(count, body);
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t i = 1; i < std::min(threads, count); ++i) {
        helpers.emplace_back([&loop] { loop.work(); });
      }
      // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (const std::system_error&) {
      // The system has no thread left; those that run do the work.
    }
    loop.work();
  }
  loop.rethrow();
}

}  // namespace opgen::text
