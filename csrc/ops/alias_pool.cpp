#include "csrc/ops/alias_pool.h"

#include <cstddef>
#include <optional>
#include <vector>

#include <c10/core/CPUAllocator.h>
#include <c10/core/StorageImpl.h>

#include "csrc/ops/host_alias.h"

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

}  // namespace

AliasTensor::AliasTensor()
    : c10::TensorImpl(make_empty_storage(),
                      c10::DispatchKeySet(c10::DispatchKey::CPU),
                      caffe2::TypeMeta::Make<float>()) {}

void AliasTensor::copy_metadata(const c10::TensorImpl& source,
                                c10::DispatchKeySet keys) {
  copy_generic_tensor_metadata(&source, this);
  key_set_ = keys;
  device_opt_ = kHost;
}

AliasSlot::AliasSlot() : alias(c10::make_intrusive<AliasTensor>()) {
  storage = alias.storage();
}

void AliasPool::retire(AliasSlot& slot) noexcept {
  const bool is_kept =
      slot.alias.use_count() != 1 || slot.tensor().autograd_meta() != nullptr;
  if (!is_kept && slot.shares) {
    slot.tensor().set_storage_keep_dtype(slot.storage);
  }
  if (is_kept || slot.storage.use_count() != 2) {
    if (!slot.shares) {
      hand_over(slot);
    }
    slot = AliasSlot();
  }
}

std::vector<at::Tensor>& AliasPool::push_list() {
  if (lists_top_ == lists_.size()) {
    lists_.emplace_back();
  }
  return lists_[lists_top_++];
}

c10::List<std::optional<at::Tensor>>& AliasPool::push_indices() {
  if (indices_top_ == indices_.size()) {
    indices_.emplace_back();
  }
  return indices_[indices_top_++];
}

void AliasPool::empty_lists(std::size_t lists, std::size_t indices) noexcept {
  while (lists_top_ > lists) {
    lists_[--lists_top_].clear();
  }
  while (indices_top_ > indices) {
    c10::List<std::optional<at::Tensor>>& list = indices_[--indices_top_];
    if (list.use_count() == 1) {
      list.clear();
    } else {
      list = c10::List<std::optional<at::Tensor>>();
    }
  }
}

}  // namespace torch_infini
