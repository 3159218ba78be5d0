// Runs a plan: cuts it among threads, stages transposed inputs, and hands
// blocks of at most two dimensions to a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "check.h"
#include "overlap.h"
#include "parallel.h"
#include "plan.h"
#include "target.h"

namespace infini::ops::cpu {

// Operand 0 of a plan is the output, the last argument; operand i is argument i
// - 1.
template <int kOperands>
const Argument& operand(const Context& context, int i) {
  return context.begin()[(i + kOperands - 1) % kOperands];
}

// Checks everything that elementwise operators require of their arguments and
// throws for the first thing that is wrong.
[[gnu::cold]] void check_elementwise(const Context& context,
                                     const Config& config);

[[noreturn, gnu::cold]] void fail_to_separate(const Context& context,
                                              const Argument& input);

// What a plan needs of a tensor, read once: the accessors are calls into
// another library.
struct View {
  char* data;
  const std::size_t* sizes;
  const std::ptrdiff_t* strides;
  std::size_t dimensions;
  std::ptrdiff_t unit;
  std::size_t dtype;
  bool usable;
};

[[gnu::always_inline]] inline View view_of(const Tensor& tensor) {
  const auto& shape = tensor.shape();
  const auto& strides = tensor.strides();
  char* data = data_of(tensor);
  const auto dtype = static_cast<std::size_t>(tensor.dtype());
  const bool usable = data != nullptr && strides.size() == shape.size() &&
                      dtype < kDataTypes &&
                      tensor.device().type() == rt::Device::Type::kCpu;
  return {data,
          shape.data(),
          strides.data(),
          shape.size(),
          static_cast<std::ptrdiff_t>(kSizes[usable ? dtype : 0]),
          dtype,
          usable};
}

// Fills `plan` for inputs whose shapes broadcast to the output's and returns
// the number of elements. Where that is 0 the plan cannot be used; then, and
// only then, check_elementwise has to tell whether anything is wrong.
template <int kOperands>
std::size_t make_plan(const View (&views)[kOperands], Plan<kOperands>* plan) {
  const View& out = views[0];
  bool usable = true;
  for (int i = 0; i < kOperands; ++i) {
    plan->base[i] = views[i].data;
    usable = usable && views[i].usable && views[i].dimensions <= out.dimensions;
  }
  std::size_t elements = 1;
  for (std::size_t d = out.dimensions; usable && d-- > 0;) {
    const std::size_t size = out.sizes[d];
    std::ptrdiff_t stride[kOperands];
    stride[0] = out.strides[d] * out.unit;
    usable = size == 1 || stride[0] != 0;
    for (int i = 1; i < kOperands; ++i) {
      const View& in = views[i];
      const std::size_t missing = out.dimensions - in.dimensions;
      const std::size_t own = d < missing ? 1 : in.sizes[d - missing];
      stride[i] = own == 1 ? 0 : in.strides[d - missing] * in.unit;
      usable = usable && (own == size || own == 1);
    }
    usable = usable && !__builtin_mul_overflow(elements, size, &elements) &&
             elements != 0;
    if (usable) {
      plan->append(size, stride);
    }
  }
  if (!usable || elements > static_cast<std::size_t>(PTRDIFF_MAX)) {
    return 0;
  }
  plan->simplify();
  return elements;
}

// Copies operand `i` into memory of its own, laid out as the plan walks it.
template <int kOperands>
std::unique_ptr<char[]> detach(Plan<kOperands>* plan,
                               int i,
                               std::size_t element_size);

// After make_plan: throws for an input that certainly overlaps the output
// partially, and copies one that may into `copies`.
template <int kOperands>
void separate(const Context& context,
              const View (&views)[kOperands],
              Plan<kOperands>* plan,
              std::unique_ptr<char[]> (&copies)[kOperands]) {
  for (int i = 1; i < kOperands; ++i) {
    const auto in_size = static_cast<std::size_t>(views[i].unit);
    const Overlap overlap =
        overlap_of(*plan, i, static_cast<std::size_t>(views[0].unit), in_size);
    if (overlap == Overlap::kPartial) {
      fail_to_separate(context, operand<kOperands>(context, i));
    }
    if (overlap == Overlap::kMaybe) {
      copies[i] = detach(plan, i, in_size);
    }
  }
}

// The dimension to cut into `parts`: the outermost that gives equal parts, else
// the longest.
template <int kOperands>
int dimension_to_cut(const Plan<kOperands>& plan, std::size_t parts) {
  int longest = 0;
  for (int d = plan.dimensions - 1; d > 0; --d) {
    if (plan.size[d] >= 4 * parts) {
      return d;
    }
    longest = plan.size[d] > plan.size[longest] ? d : longest;
  }
  return longest;
}

// When an input runs across the output, a tile is as wide in the input's
// direction as cache lines that are read once, and long in the output's so that
// its lines come in order.
inline constexpr std::size_t kTileLength = 256;
inline constexpr std::size_t kTileWidth = 16;

// The dimension along which input `i` is contiguous where dimension 0 is not,
// else 0.
template <int kOperands>
int crossing_dimension(const Plan<kOperands>& plan,
                       int i,
                       std::size_t element_size) {
  const auto distance = [&](int d) {
    const std::ptrdiff_t stride = plan.stride[d][i];
    return static_cast<std::size_t>(stride < 0 ? -stride : stride);
  };
  if (distance(0) <= 8 * element_size || plan.size[0] < 8) {
    return 0;
  }
  for (int d = 1; d < plan.dimensions; ++d) {
    if (distance(d) == element_size && plan.size[d] >= 8) {
      return d;
    }
  }
  return 0;
}

// Calls block(plan) for tiles of dimensions 0 and 1, with input i replaced by a
// transposed copy of the tile where crosses[i] is set.
template <int kOperands, class Block>
void run_tiles(const Plan<kOperands>& plan,
               const std::size_t (&element_size)[kOperands],
               const bool (&crosses)[kOperands],
               const Block& block) {
  alignas(64) char staged[kOperands][kTileLength * kTileWidth * 8];
  Plan<kOperands> tile;
  tile.dimensions = 2;
  for (std::size_t j = 0; j < plan.size[1]; j += kTileWidth) {
    for (std::size_t i = 0; i < plan.size[0]; i += kTileLength) {
      tile = plan;
      tile.dimensions = 2;
      tile.narrow(
          0,
          i,
          i + kTileLength < plan.size[0] ? i + kTileLength : plan.size[0]);
      tile.narrow(
          1, j, j + kTileWidth < plan.size[1] ? j + kTileWidth : plan.size[1]);
      for (int n = 1; n < kOperands; ++n) {
        if (!crosses[n]) {
          continue;
        }
        const auto size = static_cast<std::ptrdiff_t>(element_size[n]);
        const auto row = static_cast<std::ptrdiff_t>(kTileLength) * size;
        const UnaryBlock copy{staged[n],
                              tile.base[n],
                              {tile.size[1], tile.size[0]},
                              {row, size},
                              {tile.stride[1][n], tile.stride[0][n]}};
        kernels().copy[__builtin_ctzll(element_size[n])](copy);
        tile.base[n] = staged[n];
        tile.stride[0][n] = size;
        tile.stride[1][n] = row;
      }
      block(tile);
    }
  }
}

template <int kOperands, class Block>
void run_serial(Plan<kOperands>& plan,
                const std::size_t (&element_size)[kOperands],
                const Block& block) {
  int crossing = 0;
  bool crosses[kOperands] = {};
  for (int i = 1; i < kOperands && plan.dimensions > 1; ++i) {
    const int d = crossing_dimension(plan, i, element_size[i]);
    if (d != 0 && (crossing == 0 || crossing == d)) {
      crossing = d;
      crosses[i] = true;
    }
  }
  if (crossing == 0) {
    for_each_block<2>(plan, block);
    return;
  }
  if (crossing != 1) {
    Plan<kOperands> swapped = plan;
    swapped.copy_dimension(1, plan, crossing);
    swapped.copy_dimension(crossing, plan, 1);
    plan = swapped;
  }
  for_each_block<2>(plan, [&](const Plan<kOperands>& outer) {
    run_tiles(outer, element_size, crosses, block);
  });
}

// Calls block(plan), a callable `void(const Plan<kOperands>&)` that handles
// dimensions 0 and 1, for all parts of the plan of `elements`, on several
// threads where there are at least 2 * `grain` elements.
template <int kOperands, class Block>
void run_plan(Plan<kOperands>& plan,
              const std::size_t (&element_size)[kOperands],
              std::size_t elements,
              std::size_t grain,
              const Block& block) {
  const std::size_t parts = parts_of(elements, grain);
  if (parts < 2) {
    run_serial(plan, element_size, block);
    return;
  }
  const int d = dimension_to_cut(plan, parts);
  std::size_t step = (plan.size[d] + parts - 1) / parts;
  step = d == 0 ? (step + 63) / 64 * 64 : step;
  parallel_for(parts, [&](std::size_t part) {
    const std::size_t begin = part * step;
    const std::size_t end =
        begin + step < plan.size[d] ? begin + step : plan.size[d];
    if (begin < end) {
      Plan<kOperands> mine = plan;
      mine.narrow(d, begin, end);
      run_serial(mine, element_size, block);
    }
  });
}

// Dimension 1 of a plan, or a single pass where it has none.
template <int kOperands>
std::size_t outer_size(const Plan<kOperands>& plan) {
  return plan.dimensions > 1 ? plan.size[1] : 1;
}

template <int kOperands>
std::ptrdiff_t outer_stride(const Plan<kOperands>& plan, int i) {
  return plan.dimensions > 1 ? plan.stride[1][i] : 0;
}

template <int kOperands>
UnaryBlock unary_block(const Plan<kOperands>& plan, int in = 1) {
  return {plan.base[0],
          plan.base[in],
          {plan.size[0], outer_size(plan)},
          {plan.stride[0][0], outer_stride(plan, 0)},
          {plan.stride[0][in], outer_stride(plan, in)}};
}

inline BinaryBlock binary_block(const Plan<3>& plan) {
  return {plan.base[0],
          plan.base[1],
          plan.base[2],
          {plan.size[0], outer_size(plan)},
          {plan.stride[0][0], outer_stride(plan, 0)},
          {plan.stride[0][1], outer_stride(plan, 1)},
          {plan.stride[0][2], outer_stride(plan, 2)}};
}

template <int kOperands>
std::unique_ptr<char[]> detach(Plan<kOperands>* plan,
                               int i,
                               std::size_t element_size) {
  const std::size_t elements = plan->elements();
  std::unique_ptr<char[]> memory(new char[elements * element_size]);
  Plan<2> copy;
  copy.dimensions = plan->dimensions;
  copy.base[0] = memory.get();
  copy.base[1] = plan->base[i];
  auto stride = static_cast<std::ptrdiff_t>(element_size);
  for (int d = 0; d < plan->dimensions; ++d) {
    copy.size[d] = plan->size[d];
    copy.stride[d][0] = stride;
    copy.stride[d][1] = plan->stride[d][i];
    plan->stride[d][i] = stride;
    stride *= static_cast<std::ptrdiff_t>(plan->size[d]);
  }
  plan->base[i] = memory.get();
  const UnaryKernel kernel = kernels().copy[__builtin_ctzll(element_size)];
  run_plan(copy,
           {element_size, element_size},
           elements,
           kGrain,
           [kernel](const Plan<2>& block) { kernel(unary_block(block)); });
  return memory;
}

}  // namespace infini::ops::cpu
