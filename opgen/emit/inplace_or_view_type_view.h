// How a wrapper in ADInplaceOrViewType turns results into views.
#pragma once

#include <string>

#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// Appends what has to be done before the results, which are in _tmp, can be
// returned, and gives the value to return. `f` has get_view_info(). Throws
// api::ApiError for arguments that a view cannot be replayed with.
std::string append_view_body(std::string& text,
                             const model::NativeFunction& f,
                             const DerivativeInfos* info);

// "torch::autograd::generated::AsStridedViewFunc".
std::string view_func_name(const model::NativeFunction& f);

}  // namespace opgen::emit
