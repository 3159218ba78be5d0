// resize_, set_ and record_stream: kernels about a tensor's storage rather than
// its values.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <ATen/Context.h>
#include <ATen/native/Resize.h>
#include <ATen/native/ResizeCommon.h>
#include <ATen/ops/set_native.h>

#include "csrc/bridge/storage.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/ops/native.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

void ensure_nbytes(const at::Tensor& tensor, std::size_t nbytes) {
  c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  if (nbytes > storage->nbytes()) {
    resize_storage(*storage, nbytes);
  }
}

const at::Tensor& resize(const at::Tensor& self,
                         at::IntArrayRef size,
                         std::optional<at::MemoryFormat> memory_format) {
  if (self.sizes() == size && !memory_format.has_value()) {
    return self;
  }
  const auto old_nbytes = static_cast<std::int64_t>(self.storage().nbytes());
  const std::size_t nbytes = at::detail::computeStorageNbytesContiguous(
      size,
      self.dtype().itemsize(),
      static_cast<std::size_t>(self.storage_offset()));
  if (c10::multiply_integers(size) > 0) {
    ensure_nbytes(self, nbytes);
  }
  self.unsafeGetTensorImpl()->set_sizes_contiguous(size);
  if (memory_format.has_value()) {
    TORCH_CHECK(*memory_format != at::MemoryFormat::Preserve,
                "Unsupported memory format ",
                *memory_format);
    self.unsafeGetTensorImpl()->empty_tensor_restride(*memory_format);
  }
  if (C10_UNLIKELY(
          at::globalContext().deterministicAlgorithms() &&
          at::globalContext().deterministicFillUninitializedMemory())) {
    at::native::fill_resize_deterministic_(self, old_nbytes);
  }
  return self;
}

at::Tensor& set_storage(
    at::Tensor& self,
    at::Storage source,  // NOLINT(performance-unnecessary-value-param)
    int64_t storage_offset,
    at::IntArrayRef size,
    at::IntArrayRef stride) {
  TORCH_CHECK(source.device_type() == kDeviceType,
              "cannot give an infini tensor a storage of device ",
              source.device());
  at::native::checkSetStorage(self, source, storage_offset, size, stride);
  c10::TensorImpl* impl = self.unsafeGetTensorImpl();
  const std::size_t itemsize = self.dtype().itemsize();
  if (stride.data() != nullptr || size.empty()) {
    impl->set_sizes_and_strides(size, stride, storage_offset);
    if (self.numel() > 0) {
      ensure_nbytes(self,
                    at::detail::computeStorageNbytes(
                        size,
                        stride,
                        itemsize,
                        static_cast<std::size_t>(storage_offset)));
    }
    return self;
  }
  impl->set_storage_offset(storage_offset);
  impl->set_sizes_contiguous(size);
  if (self.numel() > 0) {
    ensure_nbytes(
        self,
        at::detail::computeStorageNbytesContiguous(
            size, itemsize, static_cast<std::size_t>(storage_offset)));
  }
  return self;
}

at::Tensor& set_storage_whole(at::Tensor& self, at::Storage source) {
  return at::native::set_(self, std::move(source));
}

at::Tensor& set_empty(at::Tensor& self) {
  at::Storage storage(make_storage(0, self.device().index()));
  return set_storage(self, std::move(storage), 0, {0}, {});
}

// NOLINTNEXTLINE(misc-const-correctness): the operator's signature.
void record_stream(at::Tensor& self, c10::Stream stream) {
  TORCH_CHECK(stream.device_type() == kDeviceType,
              "record_stream expects a stream of an infini device, got ",
              stream);
  record_use(self.storage().data_ptr(), stream);
}

}  // namespace

void register_storage_kernels(torch::Library& library) {
  library.impl("resize_", &resize);
  library.impl("set_.source_Storage_storage_offset", &set_storage);
  library.impl("set_.source_Storage", &set_storage_whole);
  library.impl("set_.source_Tensor", &at::native::set_tensor_);
  library.impl("set_", &set_empty);
  library.impl("record_stream", &record_stream);
}

}  // namespace torch_infini
