#include <cstddef>
#include <memory>

#include "elementwise.h"
#include "operators.h"

namespace infini::ops::cpu {

namespace {

void run(const char* name,
         const BinaryKernel (&table)[kDataTypes],
         const Config& config,
         const Tensor& input,
         const Tensor& other,
         const Tensor& out) {
  const Argument arguments[] = {
      {"input", &input}, {"other", &other}, {"out", &out}};
  const Context context(name, arguments);
  const View views[] = {view_of(out), view_of(input), view_of(other)};
  Plan<3> plan;
  const std::size_t elements = make_plan(views, &plan);
  if (elements == 0 || config.implementation_index() != 0) {
    check_elementwise(context, config);
  }
  if (views[1].dtype != views[0].dtype || views[2].dtype != views[0].dtype) {
    check_same_dtype(context);
  }
  if (elements == 0) {
    return;
  }
  std::unique_ptr<char[]> copies[3];
  separate(context, views, &plan, copies);
  const auto size = static_cast<std::size_t>(views[0].unit);
  const BinaryKernel kernel = table[views[0].dtype];
  run_plan(plan,
           {size, size, size},
           elements,
           kGrain,
           [kernel](const Plan<3>& block) { kernel(binary_block(block)); });
}

}  // namespace

void add(const Config& config,
         const Tensor& input,
         const Tensor& other,
         const Tensor& out) {
  run("Add", kernels().add, config, input, other, out);
}

void mul(const Config& config,
         const Tensor& input,
         const Tensor& other,
         const Tensor& out) {
  run("Mul", kernels().mul, config, input, other, out);
}

}  // namespace infini::ops::cpu
