#include "csrc/ops/provider_counts.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "csrc/ops/fallback.h"
#include "csrc/ops/host_operator.h"
#include "csrc/ops/host_operator_table.h"
#include "csrc/ops/small_operators.h"

namespace torch_infini {
namespace {

std::vector<ProviderCount*>& counters() {
  static auto* instance = new std::vector<ProviderCount*>();
  return *instance;
}

}  // namespace

ProviderCount::ProviderCount(std::string op, std::string provider)
    : op_(std::move(op)), provider_(std::move(provider)) {
  counters().push_back(this);
}

std::vector<std::tuple<std::string, std::string, std::uint64_t>>
provider_counts() {
  std::vector<std::tuple<std::string, std::string, std::uint64_t>> counts;
  for (const ProviderCount* counter : counters()) {
    if (counter->calls_ > 0) {
      counts.emplace_back(counter->op_, counter->provider_, counter->calls_);
    }
  }
  for (const auto& [op, calls] : small_operator_calls()) {
    counts.emplace_back(op, "native", calls);
  }
  std::map<std::string, std::uint64_t> host;
  for (const auto& [op, calls] : host_operator_calls()) {
    host[op] += calls;
  }
  for (const auto& [op, calls] : host_wrapper_calls()) {
    host[op] += calls;
  }
  for (const auto& [op, calls] : host) {
    counts.emplace_back(op, "host", calls);
  }
  for (const auto& [op, calls] : fallback_counts()) {
    counts.emplace_back(op, "fallback", calls);
  }
  return counts;
}

}  // namespace torch_infini
