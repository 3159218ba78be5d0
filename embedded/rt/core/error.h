// The errors of the runtime API. Numbers beyond upstream's 0, 1 and 2 are those
// of CUDA.
#pragma once

namespace infini::rt::core {

using Error = int;

inline constexpr Error kSuccess = 0;
inline constexpr Error kInvalidValue = 1;
inline constexpr Error kMemoryAllocation = 2;
inline constexpr Error kInvalidHandle = 400;
inline constexpr Error kNotReady = 600;
inline constexpr Error kNotPermitted = 800;

// A sentence without capital or full stop; static storage, never null, also for
// unknown errors.
const char* error_string(Error error) noexcept;

}  // namespace infini::rt::core
