#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "detached.h"
#include "elementwise.h"
#include "operators.h"

namespace infini::ops::cpu {

namespace {

std::string input_name(std::size_t index) {
  return index == 0 ? "first_input"
                    : "rest_inputs[" + std::to_string(index - 1) + "]";
}

// Checks one input against `out` and returns its size along `dim`.
std::size_t check_input(const Config& config,
                        const Tensor& input,
                        const std::string& name,
                        std::size_t dim,
                        const Tensor& out) {
  const Argument argument{name.c_str(), &input};
  const Argument arguments[] = {argument, {"out", &out}};
  const Context context("Cat", arguments);
  check_arguments(context, config);
  check_same_dtype(context);
  check_dimensions(context, argument, out.shape().size());
  for (std::size_t d = 0; d < out.shape().size(); ++d) {
    if (d != dim && input.shape()[d] != out.shape()[d]) {
      fail(context,
           "`",
           name,
           "` to have the sizes of `out` except in dimension ",
           dim);
    }
  }
  return input.shape()[dim];
}

void copy_part(const Tensor& input, const Tensor& out, char* part) {
  const std::size_t size = size_of(out.dtype());
  Plan<2> plan;
  plan.base[0] = part;
  plan.base[1] = data_of(input);
  const auto unit = static_cast<std::ptrdiff_t>(size);
  for (std::size_t d = input.shape().size(); d-- > 0;) {
    plan.append(input.shape()[d],
                {out.strides()[d] * unit, input.strides()[d] * unit});
  }
  plan.simplify();
  const UnaryKernel kernel = kernels().copy[__builtin_ctzll(size)];
  run_plan(plan,
           {size, size},
           elements_of(input),
           kGrain,
           [kernel](const Plan<2>& block) { kernel(unary_block(block)); });
}

}  // namespace

void cat(const Config& config,
         const Tensor& first_input,
         const std::vector<Tensor>& rest_inputs,
         std::int64_t dim,
         const Tensor& out) {
  const Argument arguments[] = {{"first_input", &first_input}, {"out", &out}};
  const Context context("Cat", arguments);
  check_arguments(context, config);
  check_output(context);
  const auto dimensions = static_cast<std::int64_t>(out.shape().size());
  if (dim < -dimensions || dim >= dimensions) {
    fail(context,
         "`dim` from ",
         -dimensions,
         " to ",
         dimensions - 1,
         ", not ",
         dim);
  }
  const auto along = static_cast<std::size_t>(dim < 0 ? dim + dimensions : dim);
  std::size_t total =
      check_input(config, first_input, input_name(0), along, out);
  for (std::size_t i = 0; i < rest_inputs.size(); ++i) {
    total += check_input(config, rest_inputs[i], input_name(i + 1), along, out);
  }
  if (total != out.shape()[along]) {
    fail(context,
         "the inputs' sizes in dimension ",
         along,
         " to add up to that of `out`, not to ",
         total);
  }
  const std::ptrdiff_t step =
      out.strides()[along] * static_cast<std::ptrdiff_t>(size_of(out.dtype()));
  std::deque<Detached> inputs;
  inputs.emplace_back(first_input, out);
  for (const Tensor& input : rest_inputs) {
    inputs.emplace_back(input, out);
  }
  char* part = data_of(out);
  for (const Detached& detached : inputs) {
    const Tensor& input = detached.tensor();
    if (elements_of(input) != 0) {
      copy_part(input, out, part);
    }
    part += step * static_cast<std::ptrdiff_t>(input.shape()[along]);
  }
}

}  // namespace infini::ops::cpu
