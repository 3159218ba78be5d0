#include "csrc/ops/staging.h"

#include <cstddef>
#include <cstdint>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/empty.h>

#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

// The bytes from a tensor's first element to its last, whatever lies between.
std::size_t extent_nbytes(const at::Tensor& tensor) {
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) {
    if (tensor.size(i) == 0) {
      return 0;
    }
    last += (tensor.size(i) - 1) * tensor.stride(i);
  }
  return static_cast<std::size_t>(last + 1) * tensor.element_size();
}

// CPU memory that a tensor with the layout of `like` fits.
at::Tensor host_twin(const at::Tensor& like) {
  const auto elements =
      static_cast<std::int64_t>(extent_nbytes(like) / like.element_size());
  const at::Tensor flat =
      at::empty({elements}, like.options().device(at::kCPU));
  at::Tensor twin = flat.as_strided(like.sizes(), like.strides(), 0);
  twin._set_conj(like.is_conj());
  twin._set_neg(like.is_neg());
  return twin;
}

void fetch(const at::Tensor& device_tensor, const at::Tensor& twin) {
  const ScopedDevice guard(device_tensor.device().index());
  wait_for_current_stream(device_tensor.device().index());
  INFINI_CHECK(Memcpy(twin.mutable_data_ptr(),
                      device_tensor.const_data_ptr(),
                      extent_nbytes(device_tensor),
                      rt::runtime::kMemcpyDeviceToHost));
}

void store(const at::Tensor& device_tensor, const at::Tensor& twin) {
  const ScopedDevice guard(device_tensor.device().index());
  INFINI_CHECK(Memcpy(device_tensor.mutable_data_ptr(),
                      twin.const_data_ptr(),
                      extent_nbytes(device_tensor),
                      rt::runtime::kMemcpyHostToDevice));
}

}  // namespace

at::Tensor fetch_to_host(const at::Tensor& device_tensor) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  at::Tensor twin = host_twin(device_tensor);
  if (device_tensor.numel() > 0) {
    fetch(device_tensor, twin);
  }
  return twin;
}

void copy_through_staging(const at::Tensor& self, const at::Tensor& src) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  const at::Tensor from = on_device(src) ? fetch_to_host(src) : src;
  if (!on_device(self)) {
    at::Tensor to = self;
    at::native::copy_(to, from, /*non_blocking=*/false);
    return;
  }
  at::Tensor twin = host_twin(self);
  if (!self.is_non_overlapping_and_dense()) {
    // What lies between the elements must keep its values.
    fetch(self, twin);
  }
  at::native::copy_(twin, from, /*non_blocking=*/false);
  store(self, twin);
}

}  // namespace torch_infini
