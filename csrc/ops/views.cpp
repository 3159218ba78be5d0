// Views need only the tensor's metadata, so PyTorch's own backend-neutral
// kernels serve them.
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>

#include "csrc/ops/native.h"

namespace torch_infini {
namespace {

bool has_compatible_shallow_copy_type(const at::Tensor& self,
                                      const at::Tensor& from) {
  const auto is_dense = [](const at::Tensor& tensor) {
    return tensor.layout() == at::kStrided && !tensor.is_quantized() &&
           (tensor.is_cpu() || tensor.is_privateuseone());
  };
  return is_dense(self) && is_dense(from);
}

}  // namespace

void register_views(torch::Library& library) {
  library.impl("as_strided", &at::native::as_strided_tensorimpl);
  library.impl("view", &at::native::view);
  library.impl("_reshape_alias", &at::native::_reshape_alias);
  library.impl("unfold", &at::native::unfold);
  library.impl("alias", &at::native::alias);
  library.impl("view_as_real", &at::native::view_as_real);
  library.impl("view_as_complex", &at::native::view_as_complex);
  // See Note [Module.to keeps parameters tied]
  library.impl("_has_compatible_shallow_copy_type",
               &has_compatible_shallow_copy_type);
}

// Note [Module.to keeps parameters tied]
// Module.to gives each parameter new data in place, which keeps tied weights
// and an optimizer's parameters valid, only if PyTorch believes that a tensor
// of the old device may take over the metadata of one of the new device. By
// default it does not believe so of CPU and PrivateUse1, and makes new
// Parameters without a word. Dense tensors of both have the same TensorImpl, so
// they may.

}  // namespace torch_infini
