// torchgen's RegisterDispatchKey.gen_unstructured: wrappers of kernels that are
// plain functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/emit/register_dispatch_key.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// What `f` gets in place of a kernel of its own, if anything.
enum class WrapperKind : std::uint8_t {
  kNone,
  kKernel,
  // Meta kernels of in-place operators check their argument and return it.
  kInplaceMeta,
  // Calls the functional kernel and copies its results.
  kOutInplace,
};

// `g` is null for a function on its own.
WrapperKind wrapper_kind(const model::BackendIndex& backend_index,
                         const model::NativeFunction& f,
                         const model::NativeFunctionsGroup* g);

// Appends one text or nothing.
void gen_unstructured(const RegisterDispatchKey& settings,
                      const model::NativeFunction& f,
                      const model::NativeFunctionsGroup* g,
                      std::vector<std::string>& out);

// The functions in the namespace of the key, `at::cpu::add`, one for each of
// the C++ overloads of `f`: declarations, or definitions that call `wrapper`.
// Both append one text.
void gen_namespaced_declaration(const RegisterDispatchKey& settings,
                                const model::NativeFunction& f,
                                std::vector<std::string>& out);
void gen_namespaced_definition(
    const RegisterDispatchKey& settings,
    const model::NativeFunction& f,
    const std::string& wrapper_name,
    const std::vector<api::Binding>& wrapper_arguments,
    std::vector<std::string>& out);

}  // namespace opgen::emit
