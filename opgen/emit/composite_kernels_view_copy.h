// torchgen's GenCompositeViewCopyKernel: kernels of the operators that copy
// instead of making a view.
#pragma once

#include <optional>
#include <string>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// `backend_index` is that of CompositeExplicitAutogradNonFunctional. None for a
// view without a copying twin or with one that is not called NAME_copy. Throws
// EmitError for a view of which no kernel can be made.
std::optional<std::string> gen_composite_view_copy_kernel(
    const model::NativeFunctionsViewGroup& g,
    const model::BackendIndex& backend_index);

}  // namespace opgen::emit
