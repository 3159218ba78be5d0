#include "embedded/rt/core/backend.h"

#include <cstddef>

namespace infini::rt::core {

namespace {

constinit thread_local Backend* selected = nullptr;

}  // namespace

Backend* find_backend(int device_type) {
  for (Backend* backend : backends()) {
    if (backend->type() == device_type) {
      return backend;
    }
  }
  return nullptr;
}

Backend& current_backend() {
  if (selected == nullptr) [[unlikely]] {
    selected = backends().front();
  }
  return *selected;
}

void select_backend(Backend& backend) noexcept {
  selected = &backend;
}

Error current_memory_info(Backend& backend,
                          std::size_t* free,
                          std::size_t* total) {
  int device = 0;
  const Error error = backend.get_device(&device);
  return error != kSuccess ? error : backend.memory_info(device, free, total);
}

}  // namespace infini::rt::core
