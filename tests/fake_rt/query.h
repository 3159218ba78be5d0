// What tests ask of the fake runtime, beside its API.
//
// A process that may run on another libinfinirt finds these with dlsym.
#pragma once

#include <cstdint>

extern "C" {
// Calls so far of a function of the runtime API ("MemcpyAsync") or of the
// extension table ("launch_host_function"), failed ones too; 0 for an unknown
// name.
std::uint64_t fake_rt_calls(const char* function);
// Blocks of device and pinned host memory that were not given back.
std::uint64_t fake_rt_live_allocations();
std::uint64_t fake_rt_live_streams();
std::uint64_t fake_rt_live_events();
// Queued copies and fills that were dropped since a block they need was given
// back before they ran.
std::uint64_t fake_rt_violations();
}
