// copy_ between infini and CPU tensors and among infini tensors, of any layout
// and dtype.
#pragma once

#include <ATen/core/TensorBody.h>

namespace torch_infini {

// Writes src to self with broadcasting, conversion, and conjugate and negative
// bits honoured.
//
// Blocks until the data has arrived, with two exceptions, both only where the
// backend offers asynchronous memcpy and the bytes are the same on both sides
// (equal dtype, bits and dense strides): copies within one device are queued on
// its current stream, and with non_blocking so are copies between device memory
// and CPU memory pinned by infini. Memory on both sides is kept until such a
// copy is done, and what comes later on that stream or waits for it sees it.
//
// Overlapping memory raises, as in PyTorch, before anything is queued.
at::Tensor& copy(at::Tensor& self, const at::Tensor& src, bool non_blocking);

}  // namespace torch_infini
