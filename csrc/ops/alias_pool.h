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
#include <deque>

#include <ATen/core/TensorBody.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>

namespace torch_infini {

// A tensor whose metadata can be set as a whole.
class AliasTensor final : public c10::TensorImpl {
 public:
  AliasTensor();

  // Becomes a CPU tensor that looks like `source` over `storage`. Keeps the
  // storage it has if that is `storage`.
  void look_like(const c10::TensorImpl& source, const c10::Storage& storage);

  // Makes a CPU tensor that only the caller refers to one of the device.
  static void move_to_device(c10::TensorImpl& tensor, c10::Device device);
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
};

class AliasPool {
 public:
  std::size_t top() const { return top_; }

  AliasSlot& operator[](std::size_t i) { return slots_[i]; }

  // A slot for `source` on top of those in use, whose storage is that of the
  // slot `shared` if there is one.
  AliasSlot& push(c10::TensorImpl& source, const AliasSlot* shared);

  // Gives back all slots from `first` on.
  void pop_to(std::size_t first) noexcept;

 private:
  std::deque<AliasSlot> slots_;
  std::size_t top_ = 0;
};

// The calling thread's pool.
AliasPool& alias_pool();

}  // namespace torch_infini
