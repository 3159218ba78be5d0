#include "sampling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "parallel.h"

namespace infini::ops::cpu {

namespace {

std::mt19937_64 seeded_generator() {
  std::random_device entropy;
  std::seed_seq seed{
      entropy(), entropy(), entropy(), entropy(), entropy(), entropy()};
  return std::mt19937_64(seed);
}

}  // namespace

bool is_distribution(const double* logits, std::size_t count) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(logits[i])) {
      return false;
    }
    largest = std::max(largest, logits[i]);
  }
  return std::isfinite(largest);
}

Candidates candidates_of(const double* logits,
                         std::size_t count,
                         std::int64_t k,
                         double p) {
  Candidates candidates;
  candidates.indices.resize(count);
  std::iota(candidates.indices.begin(), candidates.indices.end(), 0);
  std::size_t kept = count;
  if (k > 0 && std::cmp_less(k, count)) {
    kept = static_cast<std::size_t>(k);
  }
  std::partial_sort(
      candidates.indices.begin(),
      candidates.indices.begin() + static_cast<std::ptrdiff_t>(kept),
      candidates.indices.end(),
      [logits](std::int32_t a, std::int32_t b) {
        return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
      });
  candidates.weights.resize(kept);
  double sum = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    candidates.weights[i] =
        std::exp(logits[candidates.indices[i]] - logits[candidates.indices[0]]);
    sum += candidates.weights[i];
  }
  if (p > 0 && p < 1) {
    double reached = 0;
    for (std::size_t i = 0; i < kept; ++i) {
      reached += candidates.weights[i];
      if (reached >= p * sum) {
        kept = i + 1;
      }
    }
  }
  candidates.indices.resize(kept);
  candidates.weights.resize(kept);
  return candidates;
}

std::int32_t choose(const Candidates& candidates, double position) {
  double sum = 0;
  for (const double weight : candidates.weights) {
    sum += weight;
  }
  double rest = position * sum;
  std::size_t last_possible = 0;
  for (std::size_t i = 0; i < candidates.weights.size(); ++i) {
    if (candidates.weights[i] > 0) {
      last_possible = i;
      if (rest < candidates.weights[i]) {
        break;
      }
    }
    rest -= candidates.weights[i];
  }
  return candidates.indices[last_possible];
}

double random_position() {
  thread_local std::mt19937_64 generator = seeded_generator();
  thread_local std::uint64_t generation = fork_generation();
  if (generation != fork_generation()) {
    generation = fork_generation();
    generator = seeded_generator();
  }
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

}  // namespace infini::ops::cpu
