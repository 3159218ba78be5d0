#include "csrc/ops/host_call.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>
#include <c10/util/thread_name.h>

#include "csrc/bridge/random.h"
#include "csrc/bridge/storage.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/memory/host_route.h"
#include "csrc/ops/alias_pool.h"
#include "csrc/ops/host_alias.h"
#include "csrc/ops/host_operator_table.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

const c10::Device kHost(c10::DeviceType::CPU);

// Note [Threads of a backward pass]
// The CPU's backward pass runs in the thread that asks for it. A device's runs
// in a thread of the autograd engine, which takes over torch.set_num_threads
// when it starts and never again, so its sums would be split as they once were.
// The engine's thread therefore follows the count that other threads had last.
void follow_thread_count() {
  static std::atomic<int> callers_count{0};
  static thread_local const bool in_engine =
      c10::getThreadName().starts_with("pt_autograd");
  const int own = at::get_num_threads();
  const int wanted = callers_count.load(std::memory_order_relaxed);
  if (C10_LIKELY(own == wanted)) {
    return;
  }
  if (!in_engine) {
    callers_count.store(own, std::memory_order_relaxed);
  } else if (wanted > 0) {
    at::set_num_threads(wanted);
  }
}

bool is_device(const at::Tensor& tensor) {
  return tensor.device().type() == kDeviceType;
}

bool fits_its_memory(const at::Tensor& tensor) {
  return at::detail::computeStorageNbytes(tensor.sizes(),
                                          tensor.strides(),
                                          tensor.dtype().itemsize(),
                                          tensor.storage_offset()) <=
         tensor.storage().nbytes();
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

HostCall::HostCall(std::size_t index)
    : pool_(alias_pool()),
      index_(index),
      first_(pool_.top()),
      first_list_(pool_.lists_top()),
      first_indices_(pool_.indices_top()) {
  below_autograd_.emplace();
}

HostCall::HostCall(const c10::OperatorHandle& op, bool below_autograd)
    : pool_(alias_pool()),
      op_(&op),
      first_(pool_.top()),
      first_list_(pool_.lists_top()),
      first_indices_(pool_.indices_top()) {
  if (below_autograd) {
    below_autograd_.emplace();
  }
}

HostCall::~HostCall() {
  if (C10_UNLIKELY(writes_)) {
    follow_after_error();
  }
  pool_.pop_lists_to(first_list_, first_indices_);
  pool_.pop_to(first_);
  if (device_ >= 0) {
    exchange_host_route(previous_route_);
    if (C10_UNLIKELY(previous_device_ != device_)) {
      set_device_unchecked(static_cast<c10::DeviceIndex>(previous_device_));
    }
  }
}

void HostCall::enter(c10::DeviceIndex device) {
  follow_thread_count();
  wait_for_current_stream(device);
  previous_device_ = current_device();
  if (C10_UNLIKELY(previous_device_ != device)) {
    exchange_device(device);
  }
  previous_route_ = exchange_host_route(device);
  device_ = device;
  if (C10_UNLIKELY(waiting_ >= 0)) {
    refuse(kHost, waiting_);
  }
}

void HostCall::refuse(c10::Device found, int position) const {
  const c10::OperatorHandle op =
      op_ != nullptr ? *op_ : host_wrapper_operator(index_);
  TORCH_CHECK(
      false,
      "Expected all tensors to be on the same device, but found at least two "
      "devices, ",
      device(),
      " and ",
      found,
      "! (when checking argument '",
      op.schema().arguments()[static_cast<std::size_t>(position)].name(),
      "' in ",
      c10::toString(op.operator_name()),
      ")");
}

const at::Tensor& HostCall::alias(const at::Tensor& tensor,
                                  int position,
                                  Access access) {
  if (!tensor.defined()) {
    return tensor;
  }
  const c10::Device device = tensor.device();
  if (C10_UNLIKELY(device.type() != kDeviceType)) {
    if (!device.is_cpu() || tensor.dim() != 0 || access != Access::kRead) {
      if (device_ >= 0) {
        refuse(device, position);
      }
      waiting_ = waiting_ < 0 ? position : waiting_;
    }
    return tensor;
  }
  if (device.index() != device_) {
    if (device_ >= 0) {
      refuse(device, position);
    }
    enter(device.index());
  }
  return alias_on_device(tensor, access == Access::kWrite, /*reads=*/true);
}

const at::Tensor& HostCall::alias_on_device(const at::Tensor& tensor,
                                            bool writes,
                                            bool reads) {
  c10::TensorImpl* source = tensor.unsafeGetTensorImpl();
  const c10::StorageImpl* storage =
      source->unsafe_storage().unsafeGetStorageImpl();
  TORCH_CHECK_NOT_IMPLEMENTED(storage != nullptr,
                              "infini serves strided tensors only, got layout ",
                              tensor.layout());
  if (C10_UNLIKELY(storage->data() == nullptr && reads)) {
    check_has_memory(tensor);
  }
  AliasSlot& slot = slot_for(*source, *storage);
  if (writes) {
    mark_written(slot);
  }
  return slot.alias;
}

void HostCall::mark_written(AliasSlot& slot) {
  writes_ = true;
  slot.written = true;
  if (C10_UNLIKELY(slot.shares)) {
    pool_[find_storage(slot.source_storage)].written = true;
  }
}

inline AliasSlot& HostCall::slot_for(c10::TensorImpl& source,
                                     const c10::StorageImpl& storage) {
  const AliasSlot* shared = nullptr;
  if (C10_UNLIKELY(slot_of_ != nullptr)) {
    const std::size_t found = find_tensor(&source);
    if (found != kNone) {
      return pool_[found];
    }
    const std::size_t with_storage = find_storage(&storage);
    shared = with_storage == kNone ? nullptr : &pool_[with_storage];
  } else {
    const std::size_t top = pool_.top();
    for (std::size_t i = first_; i < top; ++i) {
      AliasSlot& slot = pool_[i];
      if (slot.source == &source) {
        return slot;
      }
      if (slot.source_storage == &storage && !slot.shares) {
        shared = &slot;
      }
    }
  }
  AliasSlot& slot = pool_.push(source, shared);
  remember(pool_.top() - 1);
  return slot;
}

void HostCall::remember(std::size_t slot) {
  if (C10_LIKELY(pool_.top() - first_ <= kFew)) {
    return;
  }
  std::size_t next = slot;
  if (slot_of_ == nullptr) {
    slot_of_ = std::make_unique<std::unordered_map<const void*, std::size_t>>();
    next = first_;
  }
  for (; next <= slot; ++next) {
    const AliasSlot& each = pool_[next];
    (*slot_of_)[each.source] = next;
    (*slot_of_)[each.alias.unsafeGetTensorImpl()] = next;
    if (!each.shares) {
      (*slot_of_)[each.source_storage] = next;
      (*slot_of_)[each.storage.unsafeGetStorageImpl()] = next;
    }
  }
}

template <class Test>
std::size_t HostCall::find(const void* key, const Test& test) const {
  if (C10_UNLIKELY(slot_of_ != nullptr)) {
    const auto found = slot_of_->find(key);
    return found == slot_of_->end() ? kNone : found->second;
  }
  for (std::size_t i = first_; i < pool_.top(); ++i) {
    if (test(pool_[i])) {
      return i;
    }
  }
  return kNone;
}

std::size_t HostCall::find_tensor(const c10::TensorImpl* source) const {
  return find(source,
              [&](const AliasSlot& slot) { return slot.source == source; });
}

std::size_t HostCall::find_storage(const c10::StorageImpl* source) const {
  return find(source, [&](const AliasSlot& slot) {
    return !slot.shares && slot.source_storage == source;
  });
}

std::size_t HostCall::find_alias(const c10::TensorImpl* alias) const {
  return find(alias, [&](const AliasSlot& slot) {
    return slot.alias.unsafeGetTensorImpl() == alias;
  });
}

std::size_t HostCall::find_alias_storage(const c10::StorageImpl* alias) const {
  return find(alias, [&](const AliasSlot& slot) {
    return !slot.shares && slot.storage.unsafeGetStorageImpl() == alias;
  });
}

c10::Storage HostCall::alias(const c10::Storage& storage) {
  storages_.emplace_back(host_alias(storage), storage);
  return storages_.back().first;
}

std::optional<at::Tensor> HostCall::aliases(
    const std::optional<at::Tensor>& tensor, int position, Access access) {
  if (!tensor.has_value()) {
    return std::nullopt;
  }
  return alias(*tensor, position, access);
}

c10::List<std::optional<at::Tensor>> HostCall::in(
    const c10::List<std::optional<at::Tensor>>& tensors, int position) {
  const c10::List<std::optional<at::Tensor>>& list = pool_.push_indices();
  list.reserve(tensors.size());
  for (const std::optional<at::Tensor> tensor : tensors) {
    const bool is_on_host =
        tensor.has_value() && tensor->defined() && tensor->device().is_cpu();
    list.push_back(is_on_host ? tensor
                              : aliases(tensor, position, Access::kRead));
  }
  return list;
}

std::optional<at::Generator> HostCall::generator(
    const std::optional<at::Generator>& generator) const {
  TORCH_CHECK(!generator.has_value() || !generator->defined(),
              "Expected a 'infini' device type for generator but found '",
              generator->device(),
              "'");
  return device_generator(static_cast<c10::DeviceIndex>(device_));
}

bool HostCall::move_alone(at::Tensor& result) {
  if (!result.defined()) {
    return true;
  }
  const c10::Storage& storage = result.unsafeGetTensorImpl()->unsafe_storage();
  // An alias and its storage are also referred to by the pool.
  if (result.use_count() != 1 || !storage || storage.use_count() != 1 ||
      result.layout() != c10::kStrided || result.is_quantized()) {
    return false;
  }
  c10::StorageImpl& impl = *storage.unsafeGetStorageImpl();
  if (!is_own_memory(impl)) {
    return false;
  }
  move_to_device(impl);
  AliasTensor::move_to_device(*result.unsafeGetTensorImpl(), device());
  return true;
}

bool HostCall::is_own_memory(const c10::StorageImpl& storage) const {
  return is_memory_of(storage.data_ptr(),
                      static_cast<c10::DeviceIndex>(device_));
}

void HostCall::move_to_device(c10::StorageImpl& storage) const {
  storage._mutable_data_ptr_no_checks().unsafe_set_device(device());
  storage.set_allocator(&device_allocator());
}

void HostCall::announce(const at::Tensor& result) {
  if (!result.defined() || !result.has_storage()) {
    return;
  }
  c10::StorageImpl* storage =
      result.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  if (Announced* entry = find_announced(storage)) {
    ++entry->results;
    return;
  }
  announced_.push_back({storage, 1, {}});
  if (C10_UNLIKELY(announced_.size() > kFew)) {
    std::size_t next = announced_.size() - 1;
    if (announced_of_ == nullptr) {
      announced_of_ =
          std::make_unique<std::unordered_map<const void*, std::size_t>>();
      next = 0;
    }
    for (; next < announced_.size(); ++next) {
      (*announced_of_)[announced_[next].storage] = next;
    }
  }
}

HostCall::Announced* HostCall::find_announced(const c10::StorageImpl* storage) {
  if (C10_UNLIKELY(announced_of_ != nullptr)) {
    const auto found = announced_of_->find(storage);
    return found == announced_of_->end() ? nullptr : &announced_[found->second];
  }
  for (Announced& entry : announced_) {
    if (entry.storage == storage) {
      return &entry;
    }
  }
  return nullptr;
}

c10::Storage HostCall::device_storage(const c10::Storage& result, bool alone) {
  c10::StorageImpl* impl = result.unsafeGetStorageImpl();
  const std::size_t slot = find_alias_storage(impl);
  if (slot != kNone) {
    return {c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(
        pool_[slot].source_storage)};
  }
  for (const auto& [alias, device] : storages_) {
    if (alias.unsafeGetStorageImpl() == impl) {
      return device;
    }
  }
  if (impl->device_type() == kDeviceType) {
    return result;
  }
  Announced* entry = find_announced(impl);
  if (entry == nullptr) {
    return copy_to_device(result, device().index());
  }
  if (alone && is_own_memory(*impl) && result.use_count() == entry->results) {
    move_to_device(*impl);
    return result;
  }
  // Results that share the storage share the copy.
  if (!entry->copy) {
    entry->copy = copy_to_device(result, device().index());
  }
  return entry->copy;
}

bool HostCall::find_repeated(at::Tensor& result) const {
  for (const Repeated* each = repeated_.get(); each != nullptr;
       each = each->next.get()) {
    if (each->host.is_same(result)) {
      result = each->converted;
      return true;
    }
  }
  return false;
}

void HostCall::convert(at::Tensor& result) {
  if (!result.defined() || is_device(result)) {
    return;
  }
  const std::size_t slot = find_alias(result.unsafeGetTensorImpl());
  if (slot != kNone) {
    result = at::Tensor(
        c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::
            reclaim_copy(pool_[slot].source));
    return;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::kStrided &&
                                  result.has_storage() &&
                                  !result.is_quantized(),
                              "infini has no tensors of layout ",
                              result.layout(),
                              " and dtype ",
                              result.scalar_type());
  const bool alone = result.use_count() == 1;
  if (C10_UNLIKELY(!alone) && find_repeated(result)) {
    return;
  }
  const c10::Storage storage = device_storage(result.storage(), alone);
  if (C10_UNLIKELY(!alone || storage.unsafeGetStorageImpl() !=
                                 result.storage().unsafeGetStorageImpl())) {
    const at::Tensor host = std::move(result);
    result = device_tensor_like(host, storage);
    if (!alone) {
      repeated_ =
          std::make_unique<Repeated>(host, result, std::move(repeated_));
    }
    return;
  }
  AliasTensor::move_to_device(*result.unsafeGetTensorImpl(), device());
}

void HostCall::write_back_storage(const AliasSlot& slot) {
  c10::StorageImpl* alias = slot.storage.unsafeGetStorageImpl();
  c10::StorageImpl* source = slot.source_storage;
  if (slot.shares || (alias->data() == source->data() &&
                      alias->nbytes() == source->nbytes())) {
    return;
  }
  if (alias->data() != source->data()) {
    c10::DataPtr data = alias->set_data_ptr(c10::DataPtr(
        alias->mutable_data(), alias->mutable_data(), nullptr, kHost));
    if (!is_device_memory(data)) {
      c10::DataPtr moved =
          allocate_device_memory(alias->nbytes(), device().index(), device());
      std::memcpy(moved.mutable_get(), data.get(), alias->nbytes());
      data = std::move(moved);
    }
    data.unsafe_set_device(device());
    source->set_data_ptr_noswap(std::move(data));
  }
  source->set_nbytes(alias->nbytes());
}

void HostCall::write_back_tensor(const AliasSlot& slot) {
  const AliasTensor& alias = slot.tensor();
  c10::TensorImpl* source = slot.source;
  const c10::StorageImpl* storage =
      alias.unsafe_storage().unsafeGetStorageImpl();
  const bool is_own =
      slot.shares || storage == slot.storage.unsafeGetStorageImpl();
  if (C10_UNLIKELY(!is_own)) {
    announce(slot.alias);
    source->set_storage_keep_dtype(
        device_storage(alias.unsafe_storage(), /*alone=*/true));
  }
  if (!alias.has_layout_of(*source)) {
    source->set_sizes_and_strides(
        alias.sizes(), alias.strides(), alias.storage_offset());
  }
}

void HostCall::finish() {
  if (op_ == nullptr) {
    count_host_call(index_);
  }
  if (writes_) {
    write_back();
    writes_ = false;
  }
}

// A kernel that raises may have resized what it was to write to before. Sizes
// that it set for memory that it then could not get stay with the alias.
void HostCall::follow_after_error() noexcept {
  try {
    for (std::size_t i = first_; i < pool_.top(); ++i) {
      AliasSlot& slot = pool_[i];
      slot.written = slot.written && fits_its_memory(slot.alias);
    }
    write_back();
  } catch (const c10::Error&) {  // NOLINT(bugprone-empty-catch)
    // No memory to move a result to; the kernel's own error is on its way.
  }
}

void HostCall::write_back() {
  const std::size_t top = pool_.top();
  for (std::size_t i = first_; i < top; ++i) {
    if (pool_[i].written) {
      write_back_storage(pool_[i]);
    }
  }
  for (std::size_t i = first_; i < top; ++i) {
    if (pool_[i].written) {
      write_back_tensor(pool_[i]);
    }
  }
}

}  // namespace torch_infini
