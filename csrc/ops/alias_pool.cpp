#include "csrc/ops/alias_pool.h"

#include <cstddef>

#include <c10/core/CPUAllocator.h>
#include <c10/core/StorageImpl.h>

#include "csrc/ops/host_alias.h"
#include "csrc/runtime/hot_tls.h"

namespace torch_infini {
namespace {

const c10::Device kHost(c10::DeviceType::CPU);

c10::Storage make_empty_storage() {
  return {
      c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                            0,
                                            c10::DataPtr(nullptr, kHost),
                                            c10::GetCPUAllocator(),
                                            /*resizable=*/true)};
}

// Somebody keeps the slot's storage: the memory is theirs, too.
void hand_over(const AliasSlot& slot) {
  c10::StorageImpl* alias = slot.storage.unsafeGetStorageImpl();
  if (alias->data() == slot.source_storage->data()) {
    alias->_mutable_data_ptr_no_checks() = host_data(*slot.source_storage);
  }
}

INFINI_HOT_TLS AliasPool* pool_of_thread = nullptr;

struct PoolOwner {
  AliasPool pool;

  PoolOwner() { pool_of_thread = &pool; }

  ~PoolOwner() { pool_of_thread = nullptr; }

  PoolOwner(const PoolOwner&) = delete;
  PoolOwner& operator=(const PoolOwner&) = delete;
  PoolOwner(PoolOwner&&) = delete;
  PoolOwner& operator=(PoolOwner&&) = delete;
};

}  // namespace

AliasTensor::AliasTensor()
    : c10::TensorImpl(make_empty_storage(),
                      c10::DispatchKeySet(c10::DispatchKey::CPU),
                      caffe2::TypeMeta::Make<float>()) {}

void AliasTensor::look_like(const c10::TensorImpl& source,
                            const c10::Storage& storage) {
  copy_generic_tensor_metadata(&source, this);
  key_set_ = source.key_set() - c10::python_ks;
  _change_backend_component_keys(kHost);
  device_opt_ = kHost;
  if (storage_.unsafeGetStorageImpl() != storage.unsafeGetStorageImpl()) {
    storage_ = storage;
  }
}

void AliasTensor::move_to_device(c10::TensorImpl& tensor, c10::Device device) {
  tensor._change_backend_component_keys(device);
  tensor.*(&AliasTensor::device_opt_) = device;
}

AliasSlot::AliasSlot() : alias(c10::make_intrusive<AliasTensor>()) {
  storage = alias.storage();
}

AliasSlot& AliasPool::push(c10::TensorImpl& source, const AliasSlot* shared) {
  if (top_ == slots_.size()) {
    slots_.emplace_back();
  }
  AliasSlot& slot = slots_[top_];
  slot.source = &source;
  slot.source_storage = source.unsafe_storage().unsafeGetStorageImpl();
  slot.shares = shared != nullptr;
  slot.written = false;
  if (shared == nullptr) {
    c10::StorageImpl* storage = slot.storage.unsafeGetStorageImpl();
    storage->_mutable_data_ptr_no_checks() =
        c10::DataPtr(slot.source_storage->mutable_data(), kHost);
    storage->set_nbytes(slot.source_storage->sym_nbytes());
    storage->set_resizable(slot.source_storage->resizable());
  }
  slot.tensor().look_like(source,
                          shared == nullptr ? slot.storage : shared->storage);
  ++top_;
  return slot;
}

void AliasPool::pop_to(std::size_t first) noexcept {
  while (top_ > first) {
    AliasSlot& slot = slots_[--top_];
    const bool is_kept =
        slot.alias.use_count() != 1 || slot.tensor().autograd_meta() != nullptr;
    if (!is_kept && slot.shares) {
      slot.tensor().set_storage_keep_dtype(slot.storage);
    }
    const bool is_storage_kept = slot.storage.use_count() != 2;
    if (C10_UNLIKELY(is_kept || is_storage_kept)) {
      if (!slot.shares) {
        hand_over(slot);
      }
      slot = AliasSlot();
    } else {
      slot.storage.unsafeGetStorageImpl()->_mutable_data_ptr_no_checks() =
          c10::DataPtr(nullptr, kHost);
    }
    slot.source = nullptr;
  }
}

AliasPool& alias_pool() {
  if (C10_UNLIKELY(pool_of_thread == nullptr)) {
    static thread_local PoolOwner owner;
    pool_of_thread = &owner.pool;
  }
  return *pool_of_thread;
}

}  // namespace torch_infini
