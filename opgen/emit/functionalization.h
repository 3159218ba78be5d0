// torchgen.gen_functionalization_type: the kernels and registrations of the
// functionalization pass.
//
// Nothing is generated for a selector that leaves operators out. An operator
// that the pass cannot handle throws api::ApiError.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

// Appends the kernels of a group to `out`.
void gen_functionalization_definition(const model::SelectiveBuilder& selector,
                                      const model::FunctionOrAnyGroup& g,
                                      std::vector<std::string>& out);

// Appends a line for each function of the group that is registered.
void gen_functionalization_registration(
    const model::SelectiveBuilder& selector,
    const model::FunctionOrAnyGroup& g,
    const model::BackendIndex& composite_implicit_autograd_index,
    std::vector<std::string>& out);

// The declaration of the function that undoes a view; none for composite views.
// The selector has no say in this.
std::optional<std::string> gen_functionalization_view_inverse_declaration(
    const model::NativeFunctionsViewGroup& g);

}  // namespace opgen::emit
