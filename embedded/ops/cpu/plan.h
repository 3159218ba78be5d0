// The loop nest of an elementwise operator over strided operands, brought to
// its simplest form.
//
// Invariants: dimension 0 is the inner one; sizes are at least 2 except in a
// plan of one dimension; operand 0 is the output and its strides are positive
// and increase with the dimension; no two neighbouring dimensions could be one.
// Strides are in bytes. Building a plan allocates nothing.
#pragma once

#include <cstddef>
#include <limits>

#include <infini/rt.h>

namespace infini::ops::cpu {

using Tensor = rt::TensorView;

// A tensor without broadcast dimensions has at most 63 dimensions of size 2 or
// more, because its elements have distinct addresses.
inline constexpr int kMaxDimensions = std::numeric_limits<std::size_t>::digits;

template <int kOperands>
struct Plan {  // NOLINT(*-special-member-functions): a move is a copy
  int dimensions = 0;
  char* base[kOperands];
  std::size_t size[kMaxDimensions];
  std::ptrdiff_t stride[kMaxDimensions][kOperands];

  // Leaves the arrays alone: they are large and mostly unused.
  Plan() {}  // NOLINT(modernize-use-equals-default): Plan{} would clear them

  Plan(const Plan& other) { *this = other; }

  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): each value stays.
  Plan& operator=(const Plan& other) {
    dimensions = other.dimensions;
    for (int i = 0; i < kOperands; ++i) {
      base[i] = other.base[i];
    }
    for (int d = 0; d < dimensions; ++d) {
      copy_dimension(d, other, d);
    }
    return *this;
  }

  void copy_dimension(int to, const Plan& other, int from) {
    size[to] = other.size[from];
    for (int i = 0; i < kOperands; ++i) {
      stride[to][i] = other.stride[from][i];
    }
  }

  std::size_t elements() const {
    std::size_t product = 1;
    for (int d = 0; d < dimensions; ++d) {
      product *= size[d];
    }
    return product;
  }

  // Appends a dimension outside those present.
  void append(std::size_t extent, const std::ptrdiff_t (&strides)[kOperands]);

  // Makes the output's strides positive and sorted, and joins dimensions.
  // Called once, after the last `append`.
  void simplify();

  // Restricts dimension `d` to [begin, end).
  void narrow(int d, std::size_t begin, std::size_t end) {
    size[d] = end - begin;
    for (int i = 0; i < kOperands; ++i) {
      base[i] += stride[d][i] * static_cast<std::ptrdiff_t>(begin);
    }
  }

 private:
  bool joins(int inner, int outer) const {
    for (int i = 0; i < kOperands; ++i) {
      if (stride[outer][i] !=
          stride[inner][i] * static_cast<std::ptrdiff_t>(size[inner])) {
        return false;
      }
    }
    return true;
  }

  void sort();
};

template <int kOperands>
void Plan<kOperands>::append(std::size_t extent,
                             const std::ptrdiff_t (&strides)[kOperands]) {
  if (extent == 1) {
    return;
  }
  size[dimensions] = extent;
  const bool backwards = strides[0] < 0;
  for (int i = 0; i < kOperands; ++i) {
    stride[dimensions][i] = backwards ? -strides[i] : strides[i];
    if (backwards) {
      base[i] += strides[i] * static_cast<std::ptrdiff_t>(extent - 1);
    }
  }
  ++dimensions;
}

template <int kOperands>
void Plan<kOperands>::sort() {
  for (int d = 1; d < dimensions; ++d) {
    for (int e = d; e > 0 && stride[e][0] < stride[e - 1][0]; --e) {
      const std::size_t extent = size[e];
      size[e] = size[e - 1];
      size[e - 1] = extent;
      for (int i = 0; i < kOperands; ++i) {
        const std::ptrdiff_t swapped = stride[e][i];
        stride[e][i] = stride[e - 1][i];
        stride[e - 1][i] = swapped;
      }
    }
  }
}

template <int kOperands>
void Plan<kOperands>::simplify() {
  sort();
  int kept = 0;
  for (int d = 1; d < dimensions; ++d) {
    if (joins(kept, d)) {
      size[kept] *= size[d];
      continue;
    }
    ++kept;
    if (kept != d) {
      copy_dimension(kept, *this, d);
    }
  }
  if (dimensions == 0) {
    size[0] = 1;
    for (int i = 0; i < kOperands; ++i) {
      stride[0][i] = 0;
    }
  }
  dimensions = kept + 1;
}

// Calls function(plan) for the blocks of at most `kInner` dimensions that make
// up `plan`; the plan passed has its bases moved and is otherwise the same.
template <int kInner, int kOperands, class Function>
void for_each_block(Plan<kOperands>& plan, const Function& function) {
  if (plan.dimensions <= kInner) {
    function(plan);
    return;
  }
  std::size_t index[kMaxDimensions] = {};
  for (;;) {
    function(plan);
    int d = kInner;
    for (; d < plan.dimensions; ++d) {
      for (int i = 0; i < kOperands; ++i) {
        plan.base[i] += plan.stride[d][i];
      }
      if (++index[d] < plan.size[d]) {
        break;
      }
      for (int i = 0; i < kOperands; ++i) {
        plan.base[i] -=
            plan.stride[d][i] * static_cast<std::ptrdiff_t>(plan.size[d]);
      }
      index[d] = 0;
    }
    if (d == plan.dimensions) {
      return;
    }
  }
}

}  // namespace infini::ops::cpu
