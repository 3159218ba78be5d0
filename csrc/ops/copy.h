// copy_ between infini and CPU tensors and among infini tensors, of any layout
// and dtype.
#pragma once

#include <ATen/core/TensorBody.h>

namespace torch_infini {

// Writes src to self with broadcasting, conversion, and conjugate and negative
// bits honoured.
//
// Blocks until the data has arrived, with one exception: with non_blocking, a
// copy between contiguous CPU memory pinned by infini and device memory returns
// early where the backend offers pinned allocation and asynchronous memcpy.
// Memory on both sides is kept until such a copy is done.
at::Tensor& copy(at::Tensor& self, const at::Tensor& src, bool non_blocking);

}  // namespace torch_infini
