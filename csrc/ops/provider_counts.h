// How often a provider other than host served an operator.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace torch_infini {

// A counter with static storage, one per operator and provider.
class ProviderCount {
 public:
  ProviderCount(std::string op, std::string provider);

  void add() { calls_.fetch_add(1, std::memory_order_relaxed); }

 private:
  friend std::vector<std::tuple<std::string, std::string, std::uint64_t>>
  provider_counts();

  std::string op_;
  std::string provider_;
  std::atomic<std::uint64_t> calls_{0};
};

// (operator, provider, calls) of everything that was called, host and fallback
// included.
std::vector<std::tuple<std::string, std::string, std::uint64_t>>
provider_counts();

}  // namespace torch_infini
