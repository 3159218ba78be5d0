// Calls that reach a backend's kernel without the dispatcher, for builds with
// fixed backends (torchgen's --static-dispatch-backend).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opgen/api/types/signatures.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// The backends of the build in the order of the command line; none is null.
using StaticDispatchBackends = std::vector<const model::BackendIndex*>;

std::vector<model::DispatchKey> static_dispatch_keys(
    const StaticDispatchBackends& backends);

// The key whose function a call of `f` ends in; absent if no kernel is known.
std::optional<model::DispatchKey> get_static_dispatch_backend(
    const model::NativeFunction& f, const model::BackendIndex& backend_index);

// The #include lines that `f` needs. Absent for functions that are registered
// by hand; empty where there is nothing to include.
std::optional<std::string> static_dispatch_ops_header(
    const model::NativeFunction& f,
    const StaticDispatchBackends& backend_index);

std::vector<std::string> static_dispatch_extra_headers(
    const StaticDispatchBackends& backends);

// Arguments for a call of `cpp_sig` within a function of signature `sig`.
// Throws api::UnsatError.
std::string translate_args(const api::DispatcherSignature& sig,
                           const api::CppSignature& cpp_sig);

// "return at::cpu::add(self, other, alpha);"
std::string generate_static_dispatch_backend_call(
    const api::DispatcherSignature& sig,
    const model::NativeFunction& f,
    const model::BackendIndex& backend_index);

// The call of the kernel that serves every backend, or code that fails at run
// time if there is none.
std::string generate_static_dispatch_fallback_call(
    const api::DispatcherSignature& sig,
    const model::NativeFunction& f,
    const StaticDispatchBackends& backend_indices);

// The body of `f`'s entry point: one of the calls above, or a switch over the
// backends that have a kernel. Empty without backends and for functions that
// are registered by hand.
std::string static_dispatch(const api::DispatcherSignature& sig,
                            const model::NativeFunction& f,
                            const StaticDispatchBackends& backend_indices);

}  // namespace opgen::emit
