// The files of a backend.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/emit/register_dispatch_key_error.h"
#include "opgen/text/file_manager.h"

namespace opgen::backend {

// All that the files are made from. Must live until they have been made.
struct StubsProgram {
  BackendYaml yaml;
  // PyTorch's program and those of the overlays.
  std::vector<const model::NativeFunctions*> programs;
  // The backend's key, its autograd key if it has one, and keys that only
  // overlays have kernels for.
  std::vector<KeyKernels> keys;
  std::string output_dir;

  // Whether a key is the backend's or its autograd key.
  bool is_backend_key(model::DispatchKey key) const {
    return key == yaml.backend_key || key == yaml.autograd_key;
  }
};

// What operators could not be generated, and why, each once. For several
// threads.
class EmitErrors {
 public:
  void add(const emit::EmitError& error);

  // In no particular order.
  const std::vector<emit::EmitError>& entries() const { return errors_; }

 private:
  std::mutex mutex_;
  std::vector<emit::EmitError> errors_;
};

// torchgen's gen_dispatchkey_nativefunc_headers.
void gen_dispatchkey_nativefunc_headers(text::FileManager& fm,
                                        const StubsProgram& program,
                                        EmitErrors& errors);

// torchgen's gen_dispatcher_registrations, for one key.
void gen_dispatcher_registrations(text::FileManager& fm,
                                  const StubsProgram& program,
                                  const KeyKernels& kernels,
                                  EmitErrors& errors);

}  // namespace opgen::backend
