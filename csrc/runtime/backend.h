// The InfiniRT backend that this process uses, and what it can do.
//
// The choice is made once, on first need: the first accelerator compiled into
// InfiniRT that has a device, otherwise CPU. INFINI_BACKEND names one instead.
// InfiniRT keeps its selection per thread, so every entry into the runtime
// binds the chosen backend to the calling thread first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <infini/rt.h>

#include "embedded/extension.h"

namespace torch_infini {

namespace rt = infini::rt;

struct Backend {
  rt::Device::Type type;
  // "cpu", "nvidia", ...
  std::string name;
  int device_count;
  // Null on an upstream library.
  const infini_extension::RtTable* extension;
  // Bits of infini_extension::Capability.
  std::uint64_t capabilities;

  bool can(infini_extension::Capability capability) const {
    return (capabilities & capability) != 0;
  }
};

// The selected backend. Selects on the first call; raises when INFINI_BACKEND
// cannot be satisfied.
const Backend& backend();

// Makes the calling thread use the selected backend. Cheap; every runtime call
// does it.
void bind_backend();

// Names of the backends compiled into the linked InfiniRT, in order of
// preference.
std::vector<std::string> compiled_backends();

// Raises if INFINI_BACKEND names a backend that is not compiled in. Touches no
// device.
void check_backend_environment();

// The extension table of the linked InfiniRT, or null.
const infini_extension::RtTable* runtime_extension() noexcept;

// True in a child that was forked after the parent had selected a backend.
bool in_bad_fork() noexcept;

// Raises in such a child. A runtime does not survive fork.
void check_not_forked();

// True once backend() has selected one in this process.
bool is_initialized() noexcept;

}  // namespace torch_infini
