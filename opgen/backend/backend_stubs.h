// `opgen stubs`: the header and the registrations of a backend outside of
// PyTorch's tree, as torchgen.gen_backend_stubs writes them, and what its users
// asked for beyond that (see backend_yaml.h and overlay.h).
#pragma once

#include <string>
#include <vector>

#include "opgen/backend/generate.h"

namespace opgen::backend {

struct StubsOptions {
  std::string source_yaml;  // the description of the backend
  std::string output_dir;   // also stands in the generated #include
  bool dry_run = false;     // check everything, write nothing
  // A C++ file that must name every kernel as often as torchgen's check asks
  // for; empty: none.
  std::string impl_path;
  // C++ files that must together define every kernel with its parameters; not
  // checked if there are none.
  std::vector<std::string> kernel_sources;
  // Overlays besides those that the description names.
  std::vector<std::string> overlays;

  // Where PyTorch is: the folder `torchgen` of an installed PyTorch, the folder
  // it is in, or PyTorch's source tree.
  std::string torchgen;
  // Each of these replaces what the folder holds.
  std::string native_functions_path;
  std::string tags_path;
  std::string template_dir;
};

// {Key}NativeFunctions.h, Register{Key}.cpp, RegisterAutograd{Key}.cpp if
// operators are listed under `autograd`, and Register{OtherKey}.cpp for other
// keys in overlays. Nothing for a description without kernels. Returns false,
// with diagnostics and without files, if there were errors. Never throws for
// what is in the inputs.
bool generate_stubs(const StubsOptions& options, Run& run);

}  // namespace opgen::backend
