#include "csrc/ops/host_alias.h"

#include <cstring>
#include <memory>
#include <utility>

#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include "csrc/bridge/storage.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

using StorageRef = c10::intrusive_ptr<c10::StorageImpl>;

void release_reference(void* context) {
  delete static_cast<StorageRef*>(context);
}

c10::Storage make_alias_storage(const c10::Storage& device_storage) {
  c10::StorageImpl* impl = device_storage.unsafeGetStorageImpl();
  auto reference = std::make_unique<StorageRef>(StorageRef::reclaim_copy(impl));
  void* data = impl->mutable_data();
  c10::DataPtr pointer(data,
                       reference.release(),
                       &release_reference,
                       c10::Device(c10::DeviceType::CPU));
  return {
      c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                            impl->nbytes(),
                                            std::move(pointer),
                                            c10::GetCPUAllocator(),
                                            impl->resizable())};
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

void retag(c10::StorageImpl& storage, c10::DeviceIndex index) {
  storage._mutable_data_ptr_no_checks().unsafe_set_device(
      c10::Device(kDeviceType, index));
  storage.set_allocator(&device_allocator());
}

c10::Storage copy_to_device(const c10::Storage& storage,
                            c10::DeviceIndex index) {
  c10::Storage copy(make_storage(storage.nbytes(), index));
  if (storage.nbytes() > 0) {
    std::memcpy(copy.mutable_data(), storage.data(), storage.nbytes());
  }
  return copy;
}

}  // namespace

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

c10::Storage HostAliases::alias(const c10::Storage& device_storage) {
  for (const StorageEntry& entry : storages_) {
    if (entry.device.unsafeGetStorageImpl() ==
        device_storage.unsafeGetStorageImpl()) {
      return entry.alias;
    }
  }
  c10::Storage made = make_alias_storage(device_storage);
  storages_.push_back({made, device_storage, made.data(), made.nbytes()});
  return made;
}

at::Tensor HostAliases::alias(const at::Tensor& device_tensor) {
  for (const TensorEntry& entry : tensors_) {
    if (entry.device.is_same(device_tensor)) {
      return entry.alias;
    }
  }
  TORCH_CHECK_NOT_IMPLEMENTED(device_tensor.layout() == c10::kStrided,
                              "infini serves strided tensors only, got layout ",
                              device_tensor.layout());
  at::Tensor made = make_like(
      device_tensor, alias(device_tensor.storage()), c10::DispatchKey::CPU);
  tensors_.push_back({made, device_tensor});
  return made;
}

const HostAliases::StorageEntry* HostAliases::find_storage(
    const c10::StorageImpl* alias) const {
  for (const StorageEntry& entry : storages_) {
    if (entry.alias.unsafeGetStorageImpl() == alias) {
      return &entry;
    }
  }
  return nullptr;
}

bool HostAliases::stands_for_device_tensor(const at::Tensor& tensor) const {
  for (const TensorEntry& entry : tensors_) {
    if (entry.alias.is_same(tensor)) {
      return true;
    }
  }
  return false;
}

void HostAliases::announce(const at::Tensor& result) {
  if (!result.defined() || !result.has_storage() ||
      stands_for_device_tensor(result)) {
    return;
  }
  for (const c10::TensorImpl* seen : announced_tensors_) {
    if (seen == result.unsafeGetTensorImpl()) {
      return;
    }
  }
  announced_tensors_.push_back(result.unsafeGetTensorImpl());
  announce_storage(result.storage().unsafeGetStorageImpl());
}

void HostAliases::announce_storage(c10::StorageImpl* storage) {
  for (Announced& entry : announced_) {
    if (entry.storage == storage) {
      ++entry.results;
      return;
    }
  }
  announced_.push_back({storage, 1});
}

bool HostAliases::may_retag(const c10::Storage& storage) const {
  const auto* impl = storage.unsafeGetStorageImpl();
  if (!is_device_memory(impl->data_ptr()) ||
      (impl->data() != nullptr &&
       device_of_memory(impl->data_ptr()) != device_)) {
    return false;
  }
  for (const Announced& entry : announced_) {
    if (entry.storage == impl) {
      return storage.use_count() == entry.results;
    }
  }
  return false;
}

c10::Storage HostAliases::device_storage(const c10::Storage& result_storage) {
  c10::StorageImpl* impl = result_storage.unsafeGetStorageImpl();
  if (const StorageEntry* entry = find_storage(impl)) {
    return entry->device;
  }
  if (impl->device_type() == kDeviceType) {
    return result_storage;
  }
  if (may_retag(result_storage)) {
    retag(*impl, device_);
    return result_storage;
  }
  c10::Storage copy = copy_to_device(result_storage, device_);
  // Results that share the storage share the copy.
  storages_.push_back({result_storage, copy, impl->data(), impl->nbytes()});
  return copy;
}

at::Tensor HostAliases::to_device(const at::Tensor& result) {
  if (!result.defined() || result.device().type() == kDeviceType) {
    return result;
  }
  for (const TensorEntry& entry : tensors_) {
    if (entry.alias.is_same(result)) {
      return entry.device;
    }
  }
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::kStrided &&
                                  result.has_storage() &&
                                  !result.is_quantized(),
                              "infini has no tensors of layout ",
                              result.layout(),
                              " and dtype ",
                              result.scalar_type());
  return make_like(
      result, device_storage(result.storage()), c10::DispatchKey::PrivateUse1);
}

void HostAliases::write_back_storage(StorageEntry& entry) const {
  c10::StorageImpl* alias = entry.alias.unsafeGetStorageImpl();
  c10::StorageImpl* device = entry.device.unsafeGetStorageImpl();
  if (alias->data() == entry.data && alias->nbytes() == entry.nbytes) {
    return;
  }
  if (alias->data() != entry.data) {
    c10::DataPtr data = alias->set_data_ptr(c10::DataPtr(alias->mutable_data(),
                                                         alias->mutable_data(),
                                                         nullptr,
                                                         c10::DeviceType::CPU));
    if (!is_device_memory(data)) {
      c10::DataPtr moved = allocate_device_memory(
          alias->nbytes(), device_, c10::Device(kDeviceType, device_));
      std::memcpy(moved.mutable_get(), data.get(), alias->nbytes());
      data = std::move(moved);
    }
    data.unsafe_set_device(c10::Device(kDeviceType, device_));
    device->set_data_ptr_noswap(std::move(data));
  }
  device->set_nbytes(alias->nbytes());
  entry.data = alias->data();
  entry.nbytes = alias->nbytes();
}

void HostAliases::write_back_tensor(TensorEntry& entry) {
  const c10::TensorImpl* alias = entry.alias.unsafeGetTensorImpl();
  c10::TensorImpl* device = entry.device.unsafeGetTensorImpl();
  const c10::Storage storage = device_storage(alias->storage());
  if (storage.unsafeGetStorageImpl() !=
      device->storage().unsafeGetStorageImpl()) {
    device->set_storage_keep_dtype(storage);
  }
  if (device->sizes() != alias->sizes() ||
      device->strides() != alias->strides() ||
      device->storage_offset() != alias->storage_offset()) {
    device->set_sizes_and_strides(
        alias->sizes(), alias->strides(), alias->storage_offset());
  }
}

void HostAliases::write_back() {
  for (StorageEntry& entry : storages_) {
    write_back_storage(entry);
  }
  for (const TensorEntry& entry : tensors_) {
    c10::StorageImpl* storage = entry.alias.storage().unsafeGetStorageImpl();
    if (find_storage(storage) == nullptr) {
      announce_storage(storage);
    }
  }
  for (TensorEntry& entry : tensors_) {
    write_back_tensor(entry);
  }
}

}  // namespace torch_infini
