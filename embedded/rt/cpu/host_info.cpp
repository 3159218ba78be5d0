#include "embedded/rt/cpu/host_info.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace infini::rt::cpu {

std::string processor_name() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "CPU";
}

int processor_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::uint64_t total_memory() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return static_cast<std::uint64_t>(pages) *
         static_cast<std::uint64_t>(page_size);
}

std::optional<MemoryInfo> memory_info() {
  MemoryInfo info{};
  std::ifstream file{"/proc/meminfo"};
  std::string label;
  std::uint64_t kilobytes = 0;
  std::string rest;
  while (file >> label >> kilobytes && std::getline(file, rest)) {
    if (label == "MemTotal:") {
      info.total = kilobytes * 1024;
    } else if (label == "MemAvailable:") {
      info.available = kilobytes * 1024;
    }
  }
  if (info.total == 0) {
    return std::nullopt;
  }
  return info;
}

}  // namespace infini::rt::cpu
