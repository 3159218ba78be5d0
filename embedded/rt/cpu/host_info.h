// What the machine says about its processors and memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace infini::rt::cpu {

struct MemoryInfo {
  std::uint64_t available;  // bytes that can be allocated without swapping
  std::uint64_t total;      // bytes
};

// The processor's model name, "CPU" where the system does not tell.
std::string processor_name();

// Processors that the calling thread may run on, at least 1.
int processor_count();

// Bytes of physical memory; the maximum of the type where the system does not
// tell.
std::uint64_t total_memory() noexcept;

// Reads the current state; nothing where the system does not tell.
std::optional<MemoryInfo> memory_info();

}  // namespace infini::rt::cpu
