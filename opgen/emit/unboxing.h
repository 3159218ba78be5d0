// `opgen unboxing`: functions that take an operator's arguments from the
// interpreter's stack, and their registration with the operators of the JIT.
//
// PyTorch's own generator of these files is tools/jit/gen_unboxing.py. The
// functions for one operator throw api::ApiError for types that C++ has nothing
// for.
#pragma once

#include <string>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/model/selective_builder.h"
#include "opgen/text/file_manager.h"

namespace opgen::emit {

struct UnboxingOptions {
  std::string source_path = "aten/src/ATen";
  std::string install_dir = "build/aten/src/ATen";
  std::string output_dependencies;  // empty if not asked for
  bool dry_run = false;
  // Spread the functions over several files even if the selection names less
  // than 100 operators, as one that names none does.
  bool always_shard = false;
};

text::FileManager make_unboxing_file_manager(const UnboxingOptions& options,
                                             text::JobList& jobs);

std::string unboxing_declaration(const model::NativeFunction& f);
std::string unboxing_definition(const model::NativeFunction& f);
std::string unboxed_kernel_registration(const model::NativeFunction& f);

// Declares the files. Root operators alone are in them. The arguments must live
// until the jobs have run, which may throw EmitError.
void gen_unboxing(const UnboxingOptions& options,
                  const model::NativeFunctions& program,
                  const model::SelectiveBuilder& selector,
                  text::FileManager& files);

}  // namespace opgen::emit
