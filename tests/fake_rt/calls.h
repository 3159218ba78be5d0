// Counts the calls of each function and lets those fail that FAKE_RT_FAIL
// names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "embedded/rt/core/error.h"

namespace fake_rt {

class Calls {
 public:
  // Counts a call; kSuccess, or the error with which it has to fail.
  infini::rt::core::Error count(std::string_view function);

  std::uint64_t counted(std::string_view function);

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

}  // namespace fake_rt
