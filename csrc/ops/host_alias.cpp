#include "csrc/ops/host_alias.h"

#include <memory>
#include <utility>

#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include "csrc/memory/device_allocator.h"

namespace torch_infini {
namespace {

using StorageRef = c10::intrusive_ptr<c10::StorageImpl>;

void release_reference(void* context) {
  delete static_cast<StorageRef*>(context);
}

c10::Storage make_alias_storage(const c10::Storage& device_storage) {
  c10::StorageImpl& impl = *device_storage.unsafeGetStorageImpl();
  return {
      c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                            impl.nbytes(),
                                            host_data(impl),
                                            c10::GetCPUAllocator(),
                                            impl.resizable())};
}

// A tensor of the given backend over `storage` that looks like `like` in every
// other respect.
at::Tensor make_like(const at::Tensor& like,
                     c10::Storage storage,
                     c10::DispatchKey backend) {
  c10::DispatchKeySet keys(backend);
  if (C10_UNLIKELY(like._is_zerotensor())) {
    keys = keys.add(c10::DispatchKey::ZeroTensor);
  }
  auto impl = c10::make_intrusive<c10::TensorImpl>(
      std::move(storage), keys, like.dtype());
  impl->set_sizes_and_strides(
      like.sizes(), like.strides(), like.storage_offset());
  if (C10_UNLIKELY(like.is_conj())) {
    impl->_set_conj(true);
  }
  if (C10_UNLIKELY(like.is_neg())) {
    impl->_set_neg(true);
  }
  if (C10_UNLIKELY(like.unsafeGetTensorImpl()->is_wrapped_number())) {
    impl->set_wrapped_number(true);
  }
  return at::Tensor(std::move(impl));
}

}  // namespace

c10::DataPtr data_of_storage(c10::StorageImpl& storage, c10::Device tag) {
  auto reference =
      std::make_unique<StorageRef>(StorageRef::reclaim_copy(&storage));
  void* data = storage.mutable_data();
  return {data, reference.release(), &release_reference, tag};
}

c10::DataPtr host_data(c10::StorageImpl& device_storage) {
  constexpr auto kHost = c10::DeviceType::CPU;
  c10::DataPtr shared = share_device_memory(device_storage.data_ptr(), kHost);
  return shared || device_storage.data() == nullptr
             ? std::move(shared)
             : data_of_storage(device_storage, kHost);
}

void check_has_memory(const at::Tensor& device_tensor) {
  TORCH_CHECK(device_tensor.numel() == 0 || device_tensor._is_zerotensor() ||
                  device_tensor.storage().data() != nullptr,
              "the infini tensor of shape ",
              device_tensor.sizes(),
              " has no memory: its storage was resized to 0 bytes");
}

at::Tensor host_alias(const at::Tensor& device_tensor) {
  check_has_memory(device_tensor);
  return make_like(device_tensor,
                   make_alias_storage(device_tensor.storage()),
                   c10::DispatchKey::CPU);
}

c10::Storage host_alias(const c10::Storage& device_storage) {
  return make_alias_storage(device_storage);
}

at::Tensor device_tensor_like(const at::Tensor& host, c10::Storage storage) {
  return make_like(host, std::move(storage), c10::DispatchKey::PrivateUse1);
}

}  // namespace torch_infini
