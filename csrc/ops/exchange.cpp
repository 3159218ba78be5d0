#include "csrc/ops/exchange.h"

#include <cstdint>
#include <utility>

#include <c10/core/CPUAllocator.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include "csrc/memory/block_cache.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/ops/host_alias.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

// Keys of tensors that stand for others: subclasses that dispatch to Python,
// functorch's wrappers, functional tensors.
constexpr c10::DispatchKeySet kWrappers({c10::DispatchKey::Python,
                                         c10::DispatchKey::FuncTorchBatched,
                                         c10::DispatchKey::FuncTorchGradWrapper,
                                         c10::DispatchKey::Functionalize});

void check(const char* function,
           const at::Tensor& tensor,
           c10::DeviceType wanted) {
  TORCH_CHECK(tensor.device().type() == wanted,
              function,
              " expects a tensor of device ",
              c10::DeviceTypeName(wanted, /*lower_case=*/true),
              ", but got one of ",
              tensor.device());
  TORCH_CHECK_NOT_IMPLEMENTED(tensor.layout() == at::kStrided,
                              function,
                              " expects a strided tensor, but got layout ",
                              tensor.layout());
  TORCH_CHECK(!tensor.key_set().has_any(kWrappers) && tensor.has_storage() &&
                  !tensor._is_zerotensor(),
              function,
              " expects a tensor with memory of its own, but got one that "
              "stands for others (inside torch.func or torch.compile, or of a "
              "subclass with __torch_dispatch__)");
  TORCH_CHECK(
      !tensor.is_conj(),
      function,
      ": the conjugation of the tensor has not been computed yet, so its "
      "memory holds other values; use tensor.resolve_conj() first");
  TORCH_CHECK(!tensor.is_neg(),
              function,
              ": the negation of the tensor has not been computed yet, so its "
              "memory holds other values; use tensor.resolve_neg() first");
  const Backend& used = backend();
  TORCH_CHECK_NOT_IMPLEMENTED(
      used.can(infini_extension::kHostAccess),
      function,
      ": the host cannot address the memory of infini devices (backend ",
      used.name,
      "), so CPU and infini tensors cannot share it; copy with .cpu() and "
      ".to(\"infini\")");
}

// The memory of a CPU storage as the device's. Memory that is the device's
// already stays in its statistics.
c10::DataPtr device_data(c10::StorageImpl& storage, c10::Device device) {
  c10::DataPtr shared;
  if (is_memory_of(storage.data_ptr(), device.index())) {
    shared = share_device_memory(storage.data_ptr(), device);
  }
  if (shared || storage.data() == nullptr) {
    shared.unsafe_set_device(device);
    return shared;
  }
  TORCH_CHECK(
      reinterpret_cast<std::uintptr_t>(storage.data()) % kBlockAlignment == 0,
      "torch.infini.from_cpu: the memory of the tensor at ",
      storage.data(),
      " is not aligned to ",
      kBlockAlignment,
      " bytes, as infini needs it; tensor.clone() is");
  return data_of_storage(storage, device);
}

at::Tensor exchanged(const at::Tensor& tensor,
                     c10::DataPtr data,
                     c10::Allocator* allocator,
                     c10::DispatchKey key) {
  c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  storage->set_resizable(false);
  auto impl = c10::make_intrusive<c10::TensorImpl>(
      c10::Storage(c10::make_intrusive<c10::StorageImpl>(
          c10::StorageImpl::use_byte_size_t(),
          storage->nbytes(),
          std::move(data),
          allocator,
          /*resizable=*/false)),
      c10::DispatchKeySet(key),
      tensor.dtype());
  impl->set_sizes_and_strides(
      tensor.sizes(), tensor.strides(), tensor.storage_offset());
  if (!tensor.is_inference() && !impl->is_inference()) {
    impl->set_version_counter(tensor.unsafeGetTensorImpl()->version_counter());
  }
  return at::Tensor(std::move(impl));
}

}  // namespace

at::Tensor as_cpu(const at::Tensor& tensor) {
  check("torch.infini.as_cpu", tensor, kDeviceType);
  check_not_forked();
  check_has_memory(tensor);
  wait_for_current_stream(tensor.device().index());
  return exchanged(tensor,
                   host_data(*tensor.storage().unsafeGetStorageImpl()),
                   c10::GetCPUAllocator(),
                   c10::DispatchKey::CPU);
}

at::Tensor from_cpu(const at::Tensor& tensor, c10::DeviceIndex index) {
  check("torch.infini.from_cpu", tensor, c10::DeviceType::CPU);
  check_not_forked();
  TORCH_CHECK(tensor.numel() == 0 || tensor.storage().data() != nullptr,
              "torch.infini.from_cpu: the CPU tensor of shape ",
              tensor.sizes(),
              " has no memory: its storage was resized to 0 bytes");
  wait_for_current_stream(index);
  return exchanged(tensor,
                   device_data(*tensor.storage().unsafeGetStorageImpl(),
                               c10::Device(kDeviceType, index)),
                   &device_allocator(),
                   c10::DispatchKey::PrivateUse1);
}

}  // namespace torch_infini
