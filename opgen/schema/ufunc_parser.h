// The field `ufunc_inner_loop`: the scalar function that kernels are generated
// from, and for which types: `add (AllAndComplex, BFloat16, Half)`.
#pragma once

#include <utility>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::schema {

using UfuncInnerLoops =
    std::vector<std::pair<model::UfuncKey, model::UfuncInnerLoop>>;

// Reads what the field holds, a string or a mapping from keys to strings.
UfuncInnerLoops parse_ufunc_inner_loop(const text::YamlNode& node,
                                       text::Diagnostics& diagnostics);

}  // namespace opgen::schema
