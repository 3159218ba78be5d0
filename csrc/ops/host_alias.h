// Device tensors as CPU kernels see them, and CPU results as device tensors.
//
// Note [Aliases and results]
// A CPU alias is a CPU tensor over the memory of an infini tensor: same sizes,
// strides, offset, dtype, conjugate, negative and zero bits. Aliases of tensors
// that share a storage share one alias storage, so overlap checks and `is_same`
// see what they would see on the device. An alias that somebody keeps after the
// call keeps the memory alive; what becomes of the device's storage later it
// does not follow.
//
// After the kernel has run, a result is one of these:
//   - an alias itself (out=, in-place): it maps back to the tensor that it
//   stands for;
//   - a tensor over an alias's storage (a view): it becomes a view of the
//   device storage;
//   - a tensor over memory that the host route took from the device, referenced
//   by results only: the
//     storage changes its tag and becomes a device storage, nothing is copied;
//   - anything else (memory that a library owns or a kernel keeps): it is
//   copied.
// A kernel may resize an alias's storage or give an alias another storage; the
// device tensors then follow.
//
// Only where the host can address device memory, except for kernels that read
// no element. csrc/ops/host_call.h does all of this for a call.
#pragma once

#include <ATen/core/TensorBody.h>
#include <c10/core/Storage.h>

namespace torch_infini {

// Raises if the tensor has elements but its storage was resized to 0 bytes.
void check_has_memory(const at::Tensor& device_tensor);

// A storage's memory under another device, for memory that lives as long as its
// storage.
c10::DataPtr data_of_storage(c10::StorageImpl& storage, c10::Device tag);

// A storage's memory for the CPU. It stays alive with the result, also if the
// storage is resized.
c10::DataPtr host_data(c10::StorageImpl& device_storage);

// The CPU alias of one tensor, for kernels that neither resize nor return it.
at::Tensor host_alias(const at::Tensor& device_tensor);
c10::Storage host_alias(const c10::Storage& device_storage);

// A tensor of the device over `storage` that looks like a CPU tensor.
at::Tensor device_tensor_like(const at::Tensor& host, c10::Storage storage);

}  // namespace torch_infini
