// Whether the sources of a backend define the kernels that its description
// promises.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "opgen/text/diagnostics.h"

namespace opgen::backend {

struct ExpectedKernel {
  // The class and the function: {"PrivateUse1NativeFunctions", "add"}.
  std::vector<std::string> path;
  std::vector<std::string> parameters;  // types, as C++ spells them
  std::string declaration;              // for messages
  std::string operator_name;
  text::SourceRange where;  // the operator in the description
};

using SourceFiles = std::vector<std::shared_ptr<const text::SourceFile>>;

// Each kernel must be defined with its parameters somewhere in the sources.
// What comes near is shown: definitions of the name with other parameters,
// functions of the name outside of the class, and names that differ little.
void check_kernels(std::span<const ExpectedKernel> kernels,
                   const SourceFiles& sources,
                   text::Diagnostics& diagnostics);

// torchgen's error_on_missing_kernels: the file must name every kernel as
// often, in the form `Class::kernel(`, as the description has operators for it.
// Counts the text as torchgen does, comments too.
void error_on_missing_kernels(std::span<const ExpectedKernel> kernels,
                              const text::SourceFile& source,
                              text::Diagnostics& diagnostics);

}  // namespace opgen::backend
