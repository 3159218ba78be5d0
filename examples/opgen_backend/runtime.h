// The memory of the device.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

namespace demo {

// Uninitialized tensors on the device; `options` decides the type alone.
at::Tensor empty(at::IntArrayRef sizes, const at::TensorOptions& options);
at::Tensor empty_strided(at::IntArrayRef sizes,
                         at::IntArrayRef strides,
                         const at::TensorOptions& options);

// The same memory as a tensor of the CPU: this device computes on the host.
// Tensors of the CPU are returned as they are.
at::Tensor on_host(const at::Tensor& tensor);

}  // namespace demo
