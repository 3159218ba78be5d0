// dropout as the CPU computes it.
//
// PyTorch's composite kernel calls native_dropout for every device but the CPU,
// where it multiplies by a mask that is divided first: the scales of the two
// differ in the last bit for one probability in seven.
#include <ATen/TensorOperators.h>
#include <ATen/core/TensorBody.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include "csrc/ops/native.h"

namespace torch_infini {
namespace {

// What to multiply by; undefined where the input stays as it is.
at::Tensor factor(const at::Tensor& input, double p, bool train) {
  TORCH_CHECK(p >= 0 && p <= 1,
              "dropout probability has to be between 0 and 1, but got ",
              p);
  if (p == 0 || !train || input.sym_numel() == 0) {
    return {};
  }
  if (p == 1) {
    return at::zeros({}, input.options());
  }
  return at::empty_like(input).bernoulli_(1 - p).div_(1 - p);
}

at::Tensor dropout(const at::Tensor& input, double p, bool train) {
  const at::Tensor noise = factor(input, p, train);
  return noise.defined() ? input * noise : input;
}

at::Tensor& dropout_in_place(at::Tensor& self, double p, bool train) {
  const at::Tensor noise = factor(self, p, train);
  return noise.defined() ? self.mul_(noise) : self;
}

void register_for(torch::Library& library) {
  library.impl("dropout", &dropout);
  library.impl("dropout_", &dropout_in_place);
}

}  // namespace

void register_dropout(torch::Library& library) {
  register_for(library);
  // Above autograd too, so that gradients flow through the product.
  register_for(new_library("aten", c10::DispatchKey::AutogradPrivateUse1));
}

}  // namespace torch_infini
