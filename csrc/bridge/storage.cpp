#include "csrc/bridge/storage.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <c10/util/Exception.h>

#include "csrc/memory/device_allocator.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {

c10::intrusive_ptr<c10::StorageImpl> make_storage(std::size_t nbytes,
                                                  c10::DeviceIndex index) {
  return c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(),
      nbytes,
      allocate_device_memory(nbytes, index, c10::Device(kDeviceType, index)),
      &device_allocator(),
      /*resizable=*/true);
}

void resize_storage(c10::StorageImpl& storage, std::size_t nbytes) {
  TORCH_CHECK(storage.resizable(),
              "Trying to resize storage that is not resizable");
  const c10::DeviceIndex index = resolve_device(storage.device());
  c10::DataPtr data =
      allocate_device_memory(nbytes, index, c10::Device(kDeviceType, index));
  const std::size_t kept = std::min(nbytes, storage.nbytes());
  if (kept > 0 && storage.data() != nullptr) {
    const ScopedDevice guard(index);
    wait_for_current_stream(index);
    INFINI_CHECK(Memcpy(data.mutable_get(),
                        storage.data(),
                        kept,
                        rt::runtime::kMemcpyDeviceToDevice));
  }
  storage.set_data_ptr_noswap(std::move(data));
  storage.set_nbytes(nbytes);
}

}  // namespace torch_infini
