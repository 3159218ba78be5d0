// Reads derivatives.yaml.
//
// What is wrong with a formula, other than the names it is for, is not reported
// here: only what generates code from formulas can tell.
#pragma once

#include <deque>
#include <vector>

#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/diagnostics.h"
#include "opgen/text/yaml.h"

namespace opgen::emit {

// Leaves out entries that have errors. A null root gives none.
std::vector<DerivativeEntry> read_derivatives(const text::YamlNode* root,
                                              text::Diagnostics& diagnostics);

// torchgen's create_differentiability_info and add_view_copy_derivatives: the
// function that each entry is for, in the order of the entries, each function
// once; then copying twins of views, which have the derivatives of the views.
std::deque<DerivativeInfos> create_differentiability_infos(
    const std::vector<DerivativeEntry>& entries,
    const model::NativeFunctions& program,
    text::Diagnostics& diagnostics);

}  // namespace opgen::emit
