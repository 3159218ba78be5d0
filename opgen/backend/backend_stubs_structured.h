// Structured kernels of a backend outside of PyTorch's tree: the meta function
// is PyTorch's, the impl function the backend's, and outputs are made on the
// device that the meta function asks for.
//
// All functions throw EmitError.
#pragma once

#include <string>
#include <vector>

#include "opgen/backend/backend_yaml.h"
#include "opgen/model/dispatch_key.h"

namespace opgen::backend {

// The class that the backend implements, for its namespace:
// struct structured_add_Tensor : public at::meta::structured_add_Tensor.
// TORCH_IMPL_FUNC(add_Tensor) defines its impl function.
std::string gen_structured_declaration(const StructuredKernel& kernel);

// The header that declares the meta function.
std::string structured_header(const StructuredKernel& kernel);

// Wrappers of all variants, one text each.
void gen_structured_definitions(model::DispatchKey key,
                                const BackendYaml& yaml,
                                const StructuredKernel& kernel,
                                std::vector<std::string>& out);
void gen_structured_registrations(model::DispatchKey key,
                                  const StructuredKernel& kernel,
                                  std::vector<std::string>& out);

// The functions that the wrappers make outputs with, put among the `helpers` of
// gen_registration_helpers.
void add_structured_helpers(const BackendYaml& yaml,
                            std::vector<std::string>& helpers);

}  // namespace opgen::backend
