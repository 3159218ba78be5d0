#include <cstddef>
#include <memory>

#include "detached.h"
#include "elementwise.h"
#include "operators.h"

namespace infini::ops::cpu {

namespace {

// Shapes differ: the elements go through row-major order.
void cast_between_shapes(const Tensor& input, const Tensor& out) {
  const std::unique_ptr<char[]> flat = row_major_copy(input);
  cast(Config(),
       Tensor(flat.get(), out.shape(), input.dtype(), input.device()),
       out);
}

}  // namespace

void cast(const Config& config, const Tensor& input, const Tensor& out) {
  const Argument arguments[] = {{"input", &input}, {"out", &out}};
  const Context context("Cast", arguments);
  if (input.shape() != out.shape() && elements_of(input) == elements_of(out)) {
    check_arguments(context, config);
    check_output(context);
    if (elements_of(out) != 0) {
      cast_between_shapes(input, out);
    }
    return;
  }
  const View views[] = {view_of(out), view_of(input)};
  Plan<2> plan;
  const std::size_t elements = make_plan(views, &plan);
  if (elements == 0 || config.implementation_index() != 0) {
    check_arguments(context, config);
    check_output(context);
  }
  if (elements_of(input) != elements_of(out)) {
    fail(context, "`input` and `out` to have the same number of elements");
  }
  if (elements == 0) {
    return;
  }
  std::unique_ptr<char[]> copies[2];
  separate(context, views, &plan, copies);
  const UnaryKernel kernel =
      kernels().cast[static_cast<std::size_t>(input.dtype())]
                    [static_cast<std::size_t>(out.dtype())];
  run_plan(plan,
           {size_of(out.dtype()), size_of(input.dtype())},
           elements,
           kGrain,
           [kernel](const Plan<2>& block) { kernel(unary_block(block)); });
}

}  // namespace infini::ops::cpu
