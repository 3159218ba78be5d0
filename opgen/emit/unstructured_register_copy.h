// The wrappers that a backend registers for out= and in-place variants without
// kernel: they call the functional kernel and copy its results.
#pragma once

#include <string>

#include "opgen/api/types/binding.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The signature of the function that is registered for `f`. Its name is unique
// in the registrations of a key.
api::DispatcherSignature wrapper_kernel_sig(const RegisterDispatchKey& settings,
                                            const model::NativeFunction& f,
                                            api::Locals locals);

// torchgen's RegisterDispatchKey.gen_out_inplace_wrapper, for foreach operators
// too, which torchgen rejects: each tensor of the list is copied.
std::string gen_out_inplace_wrapper(const RegisterDispatchKey& settings,
                                    const model::NativeFunction& f,
                                    const model::NativeFunctionsGroup& g);

}  // namespace opgen::emit
