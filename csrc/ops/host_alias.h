// Device tensors as CPU kernels see them, and CPU results as device tensors.
//
// Note [Aliases and results]
// A CPU alias is a CPU tensor over the memory of an infini tensor: same sizes,
// strides, offset, dtype, conjugate, negative and zero bits. Aliases of tensors
// that share a storage share one alias storage, so overlap checks and `is_same`
// see what they would see on the device. The alias keeps the device storage
// alive.
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
// A kernel may resize an alias's storage or give an alias another storage;
// write_back() makes the device tensors follow.
//
// Only where the host can address device memory, except for kernels that read
// no element. Not thread-safe; lives for one call.
#pragma once

#include <cstddef>

#include <ATen/core/TensorBody.h>
#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

namespace torch_infini {

// Raises if the tensor has elements but its storage was resized to 0 bytes.
void check_has_memory(const at::Tensor& device_tensor);

// The CPU alias of one tensor, for kernels that neither resize nor return it.
at::Tensor host_alias(const at::Tensor& device_tensor);

class HostAliases {
 public:
  explicit HostAliases(c10::DeviceIndex device) : device_(device) {}

  at::Tensor alias(const at::Tensor& device_tensor);
  c10::Storage alias(const c10::Storage& device_storage);

  // Every result must be announced before the first is converted: a storage may
  // be retagged only when nobody but the results refers to it.
  void announce(const at::Tensor& result);
  at::Tensor to_device(const at::Tensor& result);

  // After a kernel that may mutate its arguments, before its results are
  // announced.
  void write_back();

 private:
  struct StorageEntry {
    c10::Storage alias;
    c10::Storage device;
    const void* data;
    std::size_t nbytes;
  };

  struct TensorEntry {
    at::Tensor alias;
    at::Tensor device;
  };

  struct Announced {
    c10::StorageImpl* storage;
    std::size_t results;
  };

  bool stands_for_device_tensor(const at::Tensor& tensor) const;
  void announce_storage(c10::StorageImpl* storage);
  const StorageEntry* find_storage(const c10::StorageImpl* alias) const;
  c10::Storage device_storage(const c10::Storage& result_storage);
  bool may_retag(const c10::Storage& storage) const;
  void write_back_storage(StorageEntry& entry) const;
  void write_back_tensor(TensorEntry& entry);

  c10::DeviceIndex device_;
  c10::SmallVector<StorageEntry, 4> storages_;
  c10::SmallVector<TensorEntry, 4> tensors_;
  c10::SmallVector<Announced, 4> announced_;
  c10::SmallVector<const c10::TensorImpl*, 4> announced_tensors_;
};

}  // namespace torch_infini
