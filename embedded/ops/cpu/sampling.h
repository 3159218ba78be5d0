// Drawing one index from a row of logits: the part of TopKTopPSampler without
// tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace infini::ops::cpu {

// Indices that may be drawn, with their probabilities up to a common factor,
// the likeliest first; equal logits keep their order.
struct Candidates {
  std::vector<std::int32_t> indices;
  std::vector<double> weights;
};

// Whether the row can be sampled: no NaN, no +infinity, not only -infinity.
bool is_distribution(const double* logits, std::size_t count);

// The k likeliest (all where k is outside 1..count), of these the fewest whose
// probabilities reach p (all where p is outside (0, 1)). The row passes
// is_distribution.
Candidates candidates_of(const double* logits,
                         std::size_t count,
                         std::int64_t k,
                         double p);

// The candidate at `position` of [0, 1) of the cumulative distribution.
std::int32_t choose(const Candidates& candidates, double position);

// The next number of [0, 1) of the calling thread's generator, which starts
// from the system's entropy, in a forked child again.
double random_position();

}  // namespace infini::ops::cpu
