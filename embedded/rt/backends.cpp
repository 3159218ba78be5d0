#include <array>
#include <span>

#include "embedded/rt/core/backend.h"
#include "embedded/rt/cpu/backend.h"

namespace infini::rt::core {

std::span<Backend* const> backends() {
  static const std::array<Backend*, 1> present{&cpu::CpuBackend::instance()};
  return present;
}

}  // namespace infini::rt::core
