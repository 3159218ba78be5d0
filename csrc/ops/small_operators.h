// Elementwise operators on a few elements, computed in place of a CPU kernel.
//
// Note [Small operators]
// What a CPU kernel does to find out how to walk through its operands takes
// longer than a few elements take. For operators whose result every correct
// implementation agrees on to the last bit (one rounding, or none), operands of
// one dtype, one shape and no gaps are computed here. Everything else, and
// whatever these functions do not serve, goes to the generated wrapper that
// they stand in front of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csrc/ops/host_call.h"

namespace torch_infini {

// What is to be registered for an operator in the place of its wrapper: a
// function that calls the wrapper for what it does not serve, or the wrapper
// itself. Only where streams run inline and the host can address the memory.
HostKernel with_small_operators(std::string_view name,
                                std::string_view overload,
                                const HostKernel& wrapper);

// Operators that were served here, and how often.
std::vector<std::pair<std::string, std::uint64_t>> small_operator_calls();

}  // namespace torch_infini
