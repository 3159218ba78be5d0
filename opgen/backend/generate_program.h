// What the generations of generate.h do once their inputs have been read.
//
// Each adds its files to run.files. They report through run.diagnostics what is
// wrong with further inputs, and throw what emitters throw.
#pragma once

#include <string>

#include "opgen/backend/generate.h"
#include "opgen/emit/aten_keys.h"
#include "opgen/emit/autograd_files.h"
#include "opgen/emit/autograd_files_derivatives.h"
#include "opgen/emit/options.h"
#include "opgen/emit/unboxing.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/selective_builder.h"

namespace opgen::backend {

// False where a list of the AOTInductor shim is missing or out of date.
bool make_aten_files(const emit::AtenOptions& options,
                     const emit::AtenKeys& keys,
                     const model::NativeFunctions& program,
                     const model::SelectiveBuilder& selector,
                     Run& run);

// The folder with derivatives.yaml that belongs to a source path, where an
// installed PyTorch or a checkout has it; empty if there is none.
std::string find_autograd(const std::string& source_path);

// Of `folder`/derivatives.yaml. Nothing, with diagnostics, if it has errors.
emit::Derivatives load_derivatives(const std::string& folder,
                                   const model::NativeFunctions& program,
                                   Run& run);

// Sets the number of shards in the options by itself.
void make_autograd_files(emit::AutogradOptions options,
                         const model::NativeFunctions& program,
                         const emit::Derivatives& derivatives,
                         Run& run);

void make_unboxing_files(const emit::UnboxingOptions& options,
                         const model::NativeFunctions& program,
                         const model::SelectiveBuilder& selector,
                         Run& run);

}  // namespace opgen::backend
