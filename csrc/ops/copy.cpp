#include "csrc/ops/copy.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <ATen/Dispatch_v2.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/copy_native.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/memory/host_allocator.h"
#include "csrc/ops/host_alias.h"
#include "csrc/ops/native.h"
#include "csrc/ops/staging.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

// Bytes a thread gets at least; PyTorch's own copy kernel splits at as many
// float elements.
constexpr std::int64_t kBytesPerThread = std::int64_t{128} * 1024;

void check_copyable(const at::Tensor& self, const at::Tensor& src) {
  check_not_forked();
  TORCH_CHECK(self.defined(), "self is undefined");
  TORCH_CHECK(src.defined(), "src is undefined");
  TORCH_CHECK_NOT_IMPLEMENTED(!src.is_meta(),
                              "Cannot copy out of meta tensor; no data!");
  for (const at::Tensor* tensor : {&self, &src}) {
    TORCH_CHECK_NOT_IMPLEMENTED((tensor->is_cpu() || on_device(*tensor)) &&
                                    tensor->layout() == at::kStrided &&
                                    !tensor->is_quantized(),
                                "infini copies between strided tensors of "
                                "infini and CPU, got a tensor of device ",
                                tensor->device(),
                                ", layout ",
                                tensor->layout(),
                                " and dtype ",
                                tensor->scalar_type());
  }
}

bool same_layout(const at::Tensor& self, const at::Tensor& src) {
  if (self.sizes() != src.sizes()) {
    return false;
  }
  for (std::int64_t i = 0; i < self.dim(); ++i) {
    if (self.size(i) != 1 && self.stride(i) != src.stride(i)) {
      return false;
    }
  }
  return true;
}

// The same bytes in the same order on both sides, so that a plain memcpy copies
// the tensor.
bool same_bytes(const at::Tensor& self, const at::Tensor& src) {
  return self.dtype() == src.dtype() && self.is_conj() == src.is_conj() &&
         self.is_neg() == src.is_neg() && self.is_non_overlapping_and_dense() &&
         same_layout(self, src);
}

rt::runtime::MemcpyKind copy_kind(const at::Tensor& self,
                                  const at::Tensor& src) {
  if (on_device(self)) {
    return on_device(src) ? rt::runtime::kMemcpyDeviceToDevice
                          : rt::runtime::kMemcpyHostToDevice;
  }
  return rt::runtime::kMemcpyDeviceToHost;
}

bool may_return_early(const at::Tensor& self,
                      const at::Tensor& src,
                      bool non_blocking) {
  const Backend& used = backend();
  if (used.can(infini_extension::kInlineStreams) ||
      !used.can(infini_extension::kAsyncMemcpy)) {
    return false;
  }
  if (on_device(self) && on_device(src)) {
    return self.device() == src.device();
  }
  const at::Tensor& host = on_device(self) ? src : self;
  return non_blocking && used.can(infini_extension::kHostAllocation) &&
         is_pinned_memory(host.const_data_ptr());
}

// False where the memory's owner is unknown, so that nothing can keep it.
bool keep_until_done(const at::Tensor& tensor, c10::Stream stream) {
  const c10::DataPtr& data = tensor.storage().data_ptr();
  return on_device(tensor) ? record_use(data, stream)
                           : record_pinned_use(data, stream);
}

bool copy_async(const at::Tensor& self, const at::Tensor& src) {
  const c10::DeviceIndex index =
      (on_device(self) ? self : src).device().index();
  const ScopedDevice guard(index);
  const c10::Stream stream = current_stream(index);
  const NativeStream native = native_stream(stream);
  if (!keep_until_done(self, stream) || !keep_until_done(src, stream)) {
    return false;
  }
  INFINI_CHECK(MemcpyAsync(self.mutable_data_ptr(),
                           src.const_data_ptr(),
                           self.nbytes(),
                           copy_kind(self, src),
                           native));
  return true;
}

void wait_for_streams(const at::Tensor& self, const at::Tensor& src) {
  for (const at::Tensor* tensor : {&self, &src}) {
    if (on_device(*tensor)) {
      wait_for_current_stream(tensor->device().index());
    }
  }
}

void copy_on_host(const at::Tensor& self, const at::Tensor& src) {
  at::Tensor to = on_device(self) ? host_alias(self) : self;
  const at::Tensor from = on_device(src) ? host_alias(src) : src;
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  at::native::copy_(to, from, /*non_blocking=*/false);
}

// PyTorch's kernel moves same-dtype elements one vector at a time and is slower
// than memcpy at every size.
void copy_memory(void* destination, const void* source, std::int64_t nbytes) {
  at::parallel_for(
      0, nbytes, kBytesPerThread, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<char*>(destination) + begin,
                    static_cast<const char*>(source) + begin,
                    static_cast<std::size_t>(end - begin));
      });
}

void copy_bytes(const at::Tensor& self, const at::Tensor& src) {
  if (backend().can(infini_extension::kHostAccess)) {
    if (self.scalar_type() == at::kBool) {
      copy_on_host(self, src);  // makes every byte 0 or 1
    } else {
      copy_memory(self.mutable_data_ptr(),
                  src.const_data_ptr(),
                  static_cast<std::int64_t>(self.nbytes()));
    }
    return;
  }
  if (on_device(self) && on_device(src) && self.device() != src.device()) {
    copy_through_staging(self, src);
    return;
  }
  const ScopedDevice guard((on_device(self) ? self : src).device().index());
  INFINI_CHECK(Memcpy(self.mutable_data_ptr(),
                      src.const_data_ptr(),
                      self.nbytes(),
                      copy_kind(self, src)));
}

void copy_elements(const at::Tensor& self, const at::Tensor& src) {
  if (backend().can(infini_extension::kHostAccess)) {
    copy_on_host(self, src);
  } else {
    copy_through_staging(self, src);
  }
}

at::Tensor& copy_kernel(at::Tensor& self,
                        const at::Tensor& src,
                        bool non_blocking) {
  return copy(self, src, non_blocking);
}

at::Tensor copy_from(const at::Tensor& src,
                     const at::Tensor& destination,
                     bool non_blocking) {
  at::Tensor self = destination;
  return copy(self, src, non_blocking);
}

at::Tensor copy_from_and_resize(const at::Tensor& src,
                                const at::Tensor& destination) {
  at::Tensor self = destination;
  if (self.sizes() != src.sizes()) {
    self.resize_(src.sizes());
  }
  return copy(self, src, /*non_blocking=*/false);
}

at::Scalar first_element(const at::Tensor& self) {
  at::Scalar value;
  AT_DISPATCH_V2(self.scalar_type(),
                 "_local_scalar_dense",
                 AT_WRAP([&] { value = *self.const_data_ptr<scalar_t>(); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX),
                 AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES),
                 AT_EXPAND(AT_FLOAT8_TYPES),
                 at::ScalarType::ComplexHalf,
                 at::ScalarType::Half,
                 at::ScalarType::Bool,
                 at::ScalarType::BFloat16);
  return value;
}

at::Scalar local_scalar_dense(const at::Tensor& self) {
  check_not_forked();
  if (backend().can(infini_extension::kHostAccess)) {
    wait_for_current_stream(self.device().index());
    check_has_memory(self);
    return first_element(self);
  }
  return at::native::_local_scalar_dense_cpu(fetch_to_host(self));
}

}  // namespace

at::Tensor& copy(at::Tensor& self, const at::Tensor& src, bool non_blocking) {
  check_copyable(self, src);
  if (self.is_same(src)) {
    return self;
  }
  at::assert_no_internal_overlap(self);
  at::assert_no_partial_overlap(self, src);
  if (self.numel() == 0) {
    // Only the shapes have to be checked.
    copy_on_host(self, src);
    return self;
  }
  if (src._is_zerotensor()) {
    return self.zero_();
  }
  for (const at::Tensor* tensor :
       {static_cast<const at::Tensor*>(&self), &src}) {
    if (on_device(*tensor)) {
      check_has_memory(*tensor);
    }
  }
  const bool bytes = same_bytes(self, src);
  if (bytes && self.const_data_ptr() == src.const_data_ptr()) {
    return self;
  }
  if (bytes && may_return_early(self, src, non_blocking) &&
      copy_async(self, src)) {
    return self;
  }
  wait_for_streams(self, src);
  if (bytes) {
    copy_bytes(self, src);
  } else {
    copy_elements(self, src);
  }
  return self;
}

void register_copies(torch::Library& library) {
  library.impl("copy_", &copy_kernel);
  library.impl("_copy_from", &copy_from);
  library.impl("_copy_from_and_resize", &copy_from_and_resize);
  library.impl("_local_scalar_dense", &local_scalar_dense);
  // The copy honours the bits itself. Without these the kernels that resolve
  // them would call _copy_from again, forever.
  for (const auto key :
       {c10::DispatchKey::Conjugate, c10::DispatchKey::Negative}) {
    new_library("aten", key)
        .impl("_copy_from", torch::CppFunction::makeFallthrough());
  }
}

}  // namespace torch_infini
