// The copying fallback, for devices whose memory the host cannot address. Off
// unless asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "csrc/ops/host_operator.h"

namespace torch_infini {

enum class FallbackMode : std::uint8_t { kOff, kWarn, kOn };

// "off", "warn" or "on"; anything else raises ValueError. The first value is
// INFINI_FALLBACK's.
void set_fallback(std::string_view mode);
std::string_view get_fallback();

// How often the fallback served each operator.
std::vector<std::pair<std::string, std::uint64_t>> fallback_counts();

// Copies the arguments to the CPU, runs the CPU kernel, copies results and
// written arguments back. Raises NotImplementedError when the mode is off or
// the operator returns a view; warns once per operator when it is `warn`.
void copying_fallback(const c10::OperatorHandle& op,
                      const HostOperator& info,
                      torch::jit::Stack* stack);

}  // namespace torch_infini
