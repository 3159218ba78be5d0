// Functionalization kernels of views, and of views that change their input in
// place (transpose_).
#pragma once

#include <string>

#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// The kernel of the group's view or, if asked for, of its view_inplace. The
// group has a view_copy. Throws api::ApiError for a view that functionalization
// does not know how to replay.
std::string emit_view_functionalization_body(
    const model::NativeFunctionsViewGroup& g, bool view_inplace);

}  // namespace opgen::emit
