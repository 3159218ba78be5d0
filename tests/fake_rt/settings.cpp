#include "tests/fake_rt/settings.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "embedded/extension.h"

namespace fake_rt {

namespace {

using namespace infini_extension;  // NOLINT: the enumerators of Capability

constexpr std::pair<std::string_view, std::uint64_t> kCapabilityNames[] = {
    {"async_memcpy", kAsyncMemcpy},
    {"host_allocation", kHostAllocation},
    {"async_allocation", kAsyncAllocation},
    {"events", kEvents},
    {"host_access", kHostAccess},
    {"inline_streams", kInlineStreams},
};

[[noreturn]] void reject(const char* variable, const std::string& value) {
  std::fprintf(stderr, "%s: cannot understand '%s'\n", variable, value.c_str());
  std::abort();
}

bool parse(std::string_view text, std::uint64_t& number) {
  const char* end = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): ends at `end`.
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc{} && result.ptr == end;
}

std::uint64_t read_number(const char* variable, std::uint64_t fallback) {
  const char* value = std::getenv(variable);
  std::uint64_t number = fallback;
  if (value != nullptr && !parse(value, number)) {
    reject(variable, value);
  }
  return number;
}

std::vector<std::string> read_list(const char* value) {
  std::vector<std::string> items;
  std::istringstream stream{value == nullptr ? "" : value};
  for (std::string item; std::getline(stream, item, ',');) {
    items.push_back(item);
  }
  return items;
}

std::uint64_t read_capabilities() {
  const char* value = std::getenv("FAKE_RT_CAPABILITIES");
  std::uint64_t bits = 0;
  for (const auto& [name, bit] : kCapabilityNames) {
    bits |= value == nullptr && bit != kInlineStreams ? bit : 0;
  }
  for (const std::string& item : read_list(value)) {
    std::uint64_t known = 0;
    for (const auto& [name, bit] : kCapabilityNames) {
      known |= name == item ? bit : 0;
    }
    if (known == 0) {
      reject("FAKE_RT_CAPABILITIES", value);
    }
    bits |= known;
  }
  return bits;
}

std::vector<Fault> read_faults() {
  const char* value = std::getenv("FAKE_RT_FAIL");
  std::vector<Fault> faults;
  for (std::string item : read_list(value)) {
    const bool repeats = item.ends_with('+');
    if (repeats) {
      item.pop_back();
    }
    const std::size_t colon = item.find(':');
    std::uint64_t first = 0;
    if (colon == std::string::npos ||
        !parse(std::string_view{item}.substr(colon + 1), first)) {
      reject("FAKE_RT_FAIL", value);
    }
    faults.push_back({item.substr(0, colon), first, repeats});
  }
  return faults;
}

}  // namespace

const Settings& settings() {
  static const Settings* const settings = new Settings{
      .delay = std::chrono::microseconds{read_number("FAKE_RT_DELAY_US", 2000)},
      .lazy = read_number("FAKE_RT_LAZY", 0) != 0,
      .devices = static_cast<int>(read_number("FAKE_RT_DEVICES", 2)),
      .memory = read_number("FAKE_RT_MEMORY_MB", 1024) << 20,
      .capabilities = read_capabilities(),
      .faults = read_faults(),
  };
  return *settings;
}

bool capable(std::uint64_t capability) {
  return (settings().capabilities & capability) != 0;
}

}  // namespace fake_rt
