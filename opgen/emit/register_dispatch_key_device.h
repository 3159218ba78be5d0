// The device checks and device guards at the start of registered wrappers.
#pragma once

#include <string>
#include <string_view>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// torchgen's RegisterDispatchKey.gen_device_check for the outputs and the
// positional arguments of `f`, appended to `out`.
void gen_device_check(const model::NativeFunction& f,
                      std::string_view method_name,
                      std::string& out);

// The guard that a kernel of `f` runs under, appended to `out`.
void gen_device_guard(const model::NativeFunction& f,
                      const model::BackendIndex& backend_index,
                      std::string& out);

}  // namespace opgen::emit
