#include "elementwise.h"

#include <cstddef>

namespace infini::ops::cpu {

namespace {

bool broadcasts(const Tensor::Shape& from, const Tensor::Shape& to) {
  if (from.size() > to.size()) {
    return false;
  }
  const std::size_t missing = to.size() - from.size();
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] != 1 && from[d] != to[d + missing]) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_elementwise(const Context& context, const Config& config) {
  check_arguments(context, config);
  check_output(context);
  for (const Argument& argument : context) {
    if (!broadcasts(argument.tensor->shape(), context.out().tensor->shape())) {
      fail(context,
           "`",
           argument.name,
           "` to broadcast to the shape of `",
           context.out().name,
           "`");
    }
  }
}

void fail_to_separate(const Context& context, const Argument& input) {
  fail(context,
       "`",
       context.out().name,
       "` not to overlap the memory of `",
       input.name,
       "` partially");
}

}  // namespace infini::ops::cpu
