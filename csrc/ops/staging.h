// Copies of any layout for devices whose memory the host cannot address.
#pragma once

#include <ATen/core/TensorBody.h>

#include "csrc/runtime/device.h"

namespace torch_infini {

inline bool on_device(const at::Tensor& tensor) {
  return tensor.device().type() == kDeviceType;
}

// A CPU tensor of the same sizes, strides, dtype and bits that holds the device
// tensor's data.
at::Tensor fetch_to_host(const at::Tensor& device_tensor);

// Writes src to self through CPU memory. At least one is an infini tensor; both
// have work of earlier streams done. What lies between the elements of a
// strided destination is read and written back, so nobody else may write there
// meanwhile.
void copy_through_staging(const at::Tensor& self, const at::Tensor& src);

}  // namespace torch_infini
