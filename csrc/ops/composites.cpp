// Operators for which PyTorch has a CUDA kernel or a composite one that leaves
// infini out. Here they are made of operators that infini has.
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <ATen/TensorSubclassLikeUtils.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/max_pool1d_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/tensor_split_native.h>

#include "csrc/ops/host_call.h"
#include "csrc/ops/host_provider.h"
#include "csrc/ops/native.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

// PyTorch wants the indices on the CPU, since they become sizes.
std::vector<at::Tensor> tensor_split(const at::Tensor& self,
                                     const at::Tensor& indices_or_sections,
                                     std::int64_t dim) {
  TORCH_CHECK(self.device().type() == kDeviceType,
              "Expected all tensors to be on the same device, but found at "
              "least two devices, ",
              self.device(),
              " and ",
              indices_or_sections.device(),
              "!");
  return at::native::tensor_split(self, indices_or_sections.cpu(), dim);
}

// PyTorch asks for the CPU before it takes the kernel without indices.
at::Tensor max_pool1d(const at::Tensor& self,
                      at::IntArrayRef kernel_size,
                      at::IntArrayRef stride,
                      at::IntArrayRef padding,
                      at::IntArrayRef dilation,
                      bool ceil_mode) {
  const bool wants_indices =
      (self.requires_grad() && at::GradMode::is_enabled()) ||
      self._fw_grad(/*level=*/0).defined() || at::isTensorSubclassLike(self);
  if (wants_indices || !backend().can(infini_extension::kHostAccess)) {
    return at::native::max_pool1d(
        self, kernel_size, stride, padding, dilation, ceil_mode);
  }
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::max_pool1d", "");
  HostCall call(op);
  return call.result(at::native::max_pool1d(
      call.in(self, 0), kernel_size, stride, padding, dilation, ceil_mode));
}

// As the CPU's kernel, whose mask comes from the process-wide generator; here
// it is the device's.
std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor& self,
                                                  double p,
                                                  std::optional<bool> train) {
  const auto bools = self.options().dtype(at::kBool);
  if (!train.value_or(true)) {
    return {self.clone(), at::ones_like(self, bools)};
  }
  const double kept = 1.0 - p;
  const double scale = kept == 0.0 ? 0.0 : 1.0 / kept;
  const at::Tensor mask = at::empty_like(self, bools).bernoulli_(kept);
  return {self.mul(mask).mul_(scale), mask};
}

bool is_counted_in_integers(const at::Tensor& self) {
  return at::isIntegralType(self.scalar_type(), /*includeBool=*/false);
}

// Mixture-of-experts models count integers everywhere but on the CPU, which has
// no such kernel.
at::Tensor histogram_of_integers(const at::Tensor& self,
                                 std::int64_t bins,
                                 const at::Scalar& min,
                                 const at::Scalar& max) {
  return at::histc(self.to(at::kDouble), bins, min, max).to(self.scalar_type());
}

at::Tensor histogram(const at::Tensor& self,
                     std::int64_t bins,
                     const at::Scalar& min,
                     const at::Scalar& max) {
  if (is_counted_in_integers(self)) {
    return histogram_of_integers(self, bins, min, max);
  }
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::histc", "");
  torch::jit::Stack stack{self, bins, min, max};
  host_kernel(op, &stack);
  return stack.back().toTensor();
}

at::Tensor& histogram_out(const at::Tensor& self,
                          std::int64_t bins,
                          const at::Scalar& min,
                          const at::Scalar& max,
                          at::Tensor& out) {
  if (is_counted_in_integers(self)) {
    TORCH_CHECK(out.scalar_type() == self.scalar_type() &&
                    out.device() == self.device(),
                "histc: expected out of dtype ",
                self.scalar_type(),
                " on ",
                self.device(),
                ", got ",
                out.scalar_type(),
                " on ",
                out.device());
    const at::Tensor counts = histogram_of_integers(self, bins, min, max);
    at::native::resize_output(out, counts.sizes());
    return out.copy_(counts);
  }
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::histc", "out");
  torch::jit::Stack stack{self, bins, min, max, out};
  host_kernel(op, &stack);
  return out;
}

}  // namespace

void register_composites(torch::Library& library) {
  const char* name = "tensor_split.tensor_indices_or_sections";
  library.impl(name, &tensor_split);
  library.impl("native_dropout", &native_dropout);
  library.impl("histc", &histogram);
  library.impl("histc.out", &histogram_out);
  library.impl("max_pool1d", &max_pool1d);
  // Above autograd too, so that it sees the operators that these consist of.
  auto& autograd = new_library("aten", c10::DispatchKey::AutogradPrivateUse1);
  autograd.impl(name, &tensor_split);
  autograd.impl("max_pool1d", &max_pool1d);
}

}  // namespace torch_infini
