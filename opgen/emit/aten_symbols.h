// Lists of names: ATenOpList.cpp, aten_interned_strings.h and enum_tag.h.
#pragma once

#include <string>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/code_template.h"

namespace opgen::emit {

// `{"aten::add", "Tensor"},`
std::string compute_aten_op(const model::NativeFunction& f);

// Holes aten_symbols and attr_symbols: names of operators and of arguments as
// lines of macros, sorted.
text::Env gen_aten_interned_strings(
    const model::NativeFunctions& native_functions);

// Hole enum_of_valid_tags: the enumerators of at::Tag, sorted.
text::Env gen_tags_enum(const model::NativeFunctions& native_functions);

}  // namespace opgen::emit
