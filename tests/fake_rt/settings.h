// What the environment asks of the fake runtime, read once.
//
// - FAKE_RT_DELAY_US: microseconds before each copy, fill and host function of
//   a stream (2000).
// - FAKE_RT_LAZY: with 1 the work of streams runs only while a host thread
//   waits for some of it, so what nobody waited for is pending for certain (0).
// - FAKE_RT_DEVICES: number of devices (2).
// - FAKE_RT_MEMORY_MB: memory of each device (1024).
// - FAKE_RT_CAPABILITIES: comma list of async_memcpy, host_allocation,
//   async_allocation, events, host_access, inline_streams (all but the last).
//   What is left out fails; without host_access a host access to device memory
//   is a SIGSEGV.
// - FAKE_RT_FAIL: comma list of <function>:<n> or <function>:<n>+. The n-th
//   call, or each from the n-th, of a function of the runtime API or of the
//   extension table fails: allocations with error 2, others with 999.
//
// A malformed value ends the process with a message.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fake_rt {

struct Fault {
  std::string function;
  std::uint64_t first;
  bool repeats;
};

struct Settings {
  std::chrono::microseconds delay;
  bool lazy;
  int devices;
  std::size_t memory;
  std::uint64_t capabilities;
  std::vector<Fault> faults;
};

const Settings& settings();

// Whether a bit of infini_extension::Capability is advertised.
bool capable(std::uint64_t capability);

}  // namespace fake_rt
