// What a tracing wrapper does before and after it calls the operator.
#pragma once

#include <string>

#include "opgen/model/native_function.h"

namespace opgen::emit {

// Both append lines of a function's body, indented by two blanks, for a
// function that should_trace().
void append_prerecord_trace(std::string& text, const model::NativeFunction& f);
void append_postrecord_trace(std::string& text, const model::NativeFunction& f);

}  // namespace opgen::emit
