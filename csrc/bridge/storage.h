// Storages in device memory.
#pragma once

#include <cstddef>

#include <c10/core/StorageImpl.h>

namespace torch_infini {

// A resizable storage of `nbytes` on a device; its memory is uninitialised.
c10::intrusive_ptr<c10::StorageImpl> make_storage(std::size_t nbytes,
                                                  c10::DeviceIndex index);

// Gives the storage `nbytes` of memory. The bytes that fit keep their values;
// the old memory is freed in stream order. Raises for a storage that is not
// resizable.
void resize_storage(c10::StorageImpl& storage, std::size_t nbytes);

}  // namespace torch_infini
