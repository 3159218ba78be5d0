// The memory of a tensor under the other device's name: infini as CPU, CPU as
// infini. Nothing is copied.
//
// Note [Exchange]
// The result is detached (it never requires a gradient) but shares the version
// counter of the tensor, so autograd notices writes from either side. Each side
// keeps the memory alive. Neither storage can be resized from then on, as after
// Tensor.numpy().
//
// Both functions wait until the work submitted so far to the current stream has
// finished, and nothing more: later work of the device has to be waited for
// before the host reads what it writes, and before the host writes what it
// reads.
//
// They raise NotImplementedError where the host cannot address device memory
// and for layouts other than strided, RuntimeError for a tensor of another
// device, for lazy conjugation or negation, and for tensors without memory of
// their own. Any thread.
#pragma once

#include <ATen/core/TensorBody.h>
#include <c10/core/Device.h>

namespace torch_infini {

at::Tensor as_cpu(const at::Tensor& tensor);

// Also raises for memory that is not aligned to 64 bytes. The memory does not
// count as the device's: it is CPU memory that infini uses.
at::Tensor from_cpu(const at::Tensor& tensor, c10::DeviceIndex index);

}  // namespace torch_infini
