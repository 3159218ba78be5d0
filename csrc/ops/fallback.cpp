#include "csrc/ops/fallback.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/native/CPUFallback.h>
#include <c10/util/Exception.h>

#include "csrc/bridge/random.h"
#include "csrc/ops/host_operator.h"
#include "csrc/ops/options.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"off", "warn", "on"};

std::atomic<std::size_t>& mode() {
  static std::atomic<std::size_t> current{option_from_environment(
      "INFINI_FALLBACK", kModes, static_cast<std::size_t>(0))};
  return current;
}

struct Counts {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> calls;
};

Counts& counts() {
  static auto* instance = new Counts();
  return *instance;
}

// Returns true the first time.
bool count(const std::string& name) {
  const std::scoped_lock lock(counts().mutex);
  return counts().calls[name]++ == 0;
}

}  // namespace

void set_fallback(std::string_view name) {
  mode() = parse_option("fallback mode", name, kModes);
}

std::string_view get_fallback() {
  return kModes.at(mode());
}

std::vector<std::pair<std::string, std::uint64_t>> fallback_counts() {
  const std::scoped_lock lock(counts().mutex);
  return {counts().calls.begin(), counts().calls.end()};
}

void copying_fallback(const c10::OperatorHandle& op,
                      const HostOperator& info,
                      torch::jit::Stack* stack) {
  const auto current = static_cast<FallbackMode>(mode().load());
  TORCH_CHECK_NOT_IMPLEMENTED(
      current != FallbackMode::kOff,
      "Could not run '",
      info.name,
      "' on infini: no native and no InfiniOps kernel serves it, and the host "
      "provider needs "
      "device memory that the host can address, which the backend '",
      backend().name,
      "' does not offer. torch.infini.set_fallback('warn') or "
      "INFINI_FALLBACK=warn computes such "
      "operators on the CPU through copies.");
  if (count(info.name) && current == FallbackMode::kWarn) {
    TORCH_WARN("infini computes '",
               info.name,
               "' on the CPU through copies, since no kernel of the device "
               "serves it. The result "
               "is right but slow. torch.infini.set_fallback('on') silences "
               "this warning.");
  }
  std::optional<DefaultGeneratorSwap> swap;
  if (info.generator_argument >= 0 || info.draws_unasked) {
    swap.emplace(current_device());
  }
  at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

}  // namespace torch_infini
