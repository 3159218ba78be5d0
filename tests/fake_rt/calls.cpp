#include "tests/fake_rt/calls.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "tests/fake_rt/settings.h"

namespace fake_rt {

namespace {

constexpr infini::rt::core::Error kInjected = 999;

}  // namespace

infini::rt::core::Error Calls::count(std::string_view function) {
  const std::scoped_lock lock{mutex_};
  const std::uint64_t number = ++counts_[std::string{function}];
  for (const Fault& fault : settings().faults) {
    const bool hit =
        fault.repeats ? number >= fault.first : number == fault.first;
    if (hit && fault.function == function) {
      return function.starts_with("Malloc")
                 ? infini::rt::core::kMemoryAllocation
                 : kInjected;
    }
  }
  return infini::rt::core::kSuccess;
}

std::uint64_t Calls::counted(std::string_view function) {
  const std::scoped_lock lock{mutex_};
  const auto found = counts_.find(function);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace fake_rt
