// TraceType_*.cpp: wrappers that record calls for torch.jit.trace.
//
// The functions for one operator throw api::ApiError for types that C++ has
// nothing for.
#pragma once

#include <string>

#include "opgen/emit/autograd_files.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

// Whether calls of `f` are recorded at all.
bool should_trace(const model::NativeFunction& f);

// The wrapper of `f`, which must not be one of has_manual_wrapper().
std::string trace_method_definition(const model::NativeFunction& f);

void gen_trace_type(const AutogradRun& run);

}  // namespace opgen::emit
