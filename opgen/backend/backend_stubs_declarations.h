// What a backend's header declares.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "opgen/backend/backend_stubs_kernels.h"
#include "opgen/backend/kernel_check.h"

namespace opgen::backend {

// For each key the declarations of its kernels, each once, sorted. With
// `default_arguments`, trailing arguments have the defaults of the schema, but
// none that would make calls of another kernel with the same name ambiguous.
// Throws EmitError.
std::vector<std::vector<std::string>> gen_kernel_declarations(
    std::span<const KeyKernels> keys, bool default_arguments);

// The kernels that the backend's sources must define: unstructured ones in the
// order of `functions`, then structured ones.
std::vector<ExpectedKernel> expected_kernels(
    std::span<const KeyKernels> keys,
    std::span<const model::NativeFunctions* const> programs,
    const BackendYaml& yaml);

}  // namespace opgen::backend
