// CPU aliases of device tensors that a thread uses again from call to call.
//
// An alias is a CPU tensor over a device tensor's memory, see Note [Aliases and
// results] in csrc/ops/host_alias.h. Making one costs two allocations; taking
// one from the pool costs copying a tensor's metadata. A slot that its kernel
// kept (somebody still refers to the alias or to its storage) is left to its
// new owner, together with the memory.
//
// One pool per thread, used as a stack. Nothing here is thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>

#include "csrc/runtime/thread_object.h"

namespace torch_infini {

// A tensor whose metadata can be set as a whole.
class AliasTensor final : public c10::TensorImpl {
 public:
  AliasTensor();

  // Becomes a CPU tensor that looks like `source` over `storage`. Keeps the
  // storage it has if that is `storage`, and the metadata if they are those of
  // `source` already.
  void look_like(const c10::TensorImpl& source, const c10::Storage& storage) {
    const c10::DispatchKeySet keys =
        replaced(source.key_set() - c10::python_ks, device_keys(), host_keys());
    if (!has_layout_of(source) || key_set_ != keys) {
      copy_metadata(source, keys);
    }
    if (storage_.unsafeGetStorageImpl() != storage.unsafeGetStorageImpl()) {
      storage_ = storage;
    }
  }

  // Same sizes, strides, offset and dtype, and nothing unusual.
  bool has_layout_of(const c10::TensorImpl& source) const {
    const auto& mine = sizes_and_strides_;
    const auto& other = source.*(&AliasTensor::sizes_and_strides_);
    if (mine.size() != other.size() ||
        data_type_ != source.*(&AliasTensor::data_type_) ||
        storage_offset_ != source.*(&AliasTensor::storage_offset_) ||
        is_wrapped_number() != source.is_wrapped_number() ||
        (source.*(&AliasTensor::extra_meta_)) != nullptr) {
      return false;
    }
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (mine.size_at_unchecked(i) != other.size_at_unchecked(i) ||
          mine.stride_at_unchecked(i) != other.stride_at_unchecked(i)) {
        return false;
      }
    }
    return true;
  }

  // Makes a CPU tensor that only the caller refers to one of the device.
  static void move_to_device(c10::TensorImpl& tensor, c10::Device device) {
    c10::DispatchKeySet& keys = tensor.*(&AliasTensor::key_set_);
    keys = replaced(keys, host_keys(), device_keys());
    tensor.*(&AliasTensor::device_opt_) = device;
  }

 private:
  void copy_metadata(const c10::TensorImpl& source, c10::DispatchKeySet keys);

  // The keys that tell a device: its backend's and autocast's.
  static std::uint64_t host_keys() {
    return keys_of(c10::BackendComponent::CPUBit,
                   c10::DispatchKey::AutocastCPU);
  }

  static std::uint64_t device_keys() {
    return keys_of(c10::BackendComponent::PrivateUse1Bit,
                   c10::DispatchKey::AutocastPrivateUse1);
  }

  static std::uint64_t keys_of(c10::BackendComponent backend,
                               c10::DispatchKey autocast) {
    return (c10::DispatchKeySet(backend) | c10::DispatchKeySet(autocast))
        .raw_repr();
  }

  static c10::DispatchKeySet replaced(c10::DispatchKeySet keys,
                                      std::uint64_t old,
                                      std::uint64_t new_keys) {
    return {c10::DispatchKeySet::RAW, (keys.raw_repr() & ~old) | new_keys};
  }
};

struct AliasSlot {
  AliasSlot();

  at::Tensor alias;      // an AliasTensor
  c10::Storage storage;  // of this slot; of another's if `shares`
  c10::TensorImpl* source = nullptr;
  c10::StorageImpl* source_storage = nullptr;
  bool shares = false;
  bool written = false;

  AliasTensor& tensor() const {
    return *static_cast<AliasTensor*>(alias.unsafeGetTensorImpl());
  }

  // Nobody else has the alias or its storage.
  bool is_free() const {
    return !shares && alias.use_count() == 1 &&
           tensor().autograd_meta() == nullptr && storage.use_count() == 2;
  }

  // Makes the slot's storage the memory of `source_storage`.
  void point_at_source() const {
    c10::StorageImpl& own = *storage.unsafeGetStorageImpl();
    c10::DataPtr& data = own._mutable_data_ptr_no_checks();
    void* memory = source_storage->mutable_data();
    if (C10_UNLIKELY(!data.unsafe_reset_data_and_ctx(memory))) {
      data = c10::DataPtr(memory, c10::Device(c10::DeviceType::CPU));
    }
    const std::size_t nbytes = source_storage->nbytes();
    if (own.nbytes() != nbytes) {
      own.set_nbytes(nbytes);
    }
    own.set_resizable(source_storage->resizable());
  }
};

class AliasPool {
 public:
  std::size_t top() const { return top_; }

  AliasSlot& operator[](std::size_t i) { return *slots_[i]; }

  // A slot for `source` on top of those in use, whose storage is that of the
  // slot `shared` if there is one.
  AliasSlot& push(c10::TensorImpl& source, const AliasSlot* shared) {
    if (C10_UNLIKELY(top_ == slots_.size())) {
      slots_.push_back(std::make_unique<AliasSlot>());
    }
    AliasSlot& slot = *slots_[top_];
    slot.source = &source;
    slot.source_storage = source.unsafe_storage().unsafeGetStorageImpl();
    slot.shares = shared != nullptr;
    slot.written = false;
    if (C10_LIKELY(shared == nullptr)) {
      slot.point_at_source();
    }
    slot.tensor().look_like(source,
                            shared == nullptr ? slot.storage : shared->storage);
    ++top_;
    return slot;
  }

  // Gives back all slots from `first` on.
  void pop_to(std::size_t first) noexcept {
    while (top_ > first) {
      AliasSlot& slot = *slots_[--top_];
      if (C10_UNLIKELY(!slot.is_free())) {
        retire(slot);
      }
    }
  }

  std::size_t lists_top() const { return lists_top_; }

  std::size_t indices_top() const { return indices_top_; }

  // Empty lists for aliases; at the same place until they are given back.
  std::vector<at::Tensor>& push_list();
  c10::List<std::optional<at::Tensor>>& push_indices();

  // Gives back, and empties, all lists from these on. Before their slots.
  void pop_lists_to(std::size_t lists, std::size_t indices) noexcept {
    if (C10_UNLIKELY(lists_top_ > lists || indices_top_ > indices)) {
      empty_lists(lists, indices);
    }
  }

 private:
  // What a call leaves behind: another storage than the slot's own, or owners.
  static void retire(AliasSlot& slot) noexcept;
  void empty_lists(std::size_t lists, std::size_t indices) noexcept;

  std::vector<std::unique_ptr<AliasSlot>> slots_;
  std::deque<std::vector<at::Tensor>> lists_;
  std::deque<c10::List<std::optional<at::Tensor>>> indices_;
  std::size_t top_ = 0;
  std::size_t lists_top_ = 0;
  std::size_t indices_top_ = 0;
};

// The calling thread's pool.
inline AliasPool& alias_pool() {
  return ThreadObject<AliasPool>::get();
}

}  // namespace torch_infini
