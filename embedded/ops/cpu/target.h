// The instruction sets that the kernels are compiled for.
//
// kernels_body.h is compiled once per target, each time in a namespace of its
// own and with nothing from outside that the linker could share between
// targets.
#pragma once

#include <cstdint>

#include "kernels.h"

namespace infini::ops::cpu {

enum class Target : std::uint8_t { kBaseline, kAvx2, kAvx512 };

inline constexpr Target kTargets[] = {
    Target::kBaseline, Target::kAvx2, Target::kAvx512};

// Whether this processor and operating system can run the target's kernels.
bool is_supported(Target target);

// The kernels of one target; the caller checks that it is supported.
const Kernels& kernels_of(Target target);

// The kernels of the best supported target.
const Kernels& kernels();

}  // namespace infini::ops::cpu
