// Operators for which PyTorch has a CUDA kernel or a composite one that leaves infini out. Here they
// are made of operators that infini has.
#include <ATen/core/TensorBody.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/tensor_split_native.h>

#include <vector>

#include "csrc/ops/native.h"

namespace torch_infini {
namespace {

// PyTorch wants the indices on the CPU, since they become sizes.
std::vector<at::Tensor> tensor_split(const at::Tensor& self,
                                     const at::Tensor& indices_or_sections,
                                     std::int64_t dim) {
  TORCH_CHECK(self.device().type() == kDeviceType,
              "Expected all tensors to be on the same device, but found at least two devices, ",
              self.device(),
              " and ",
              indices_or_sections.device(),
              "!");
  return at::native::tensor_split(self, indices_or_sections.cpu(), dim);
}

}  // namespace

void register_composites(torch::Library& library) {
  const char* name = "tensor_split.tensor_indices_or_sections";
  library.impl(name, &tensor_split);
  // Above autograd too, so that the results are views of `self` for it.
  static auto* autograd = new torch::Library(
      torch::Library::IMPL, "aten", c10::DispatchKey::AutogradPrivateUse1, __FILE__, __LINE__);
  autograd->impl(name, &tensor_split);
}

}  // namespace torch_infini
