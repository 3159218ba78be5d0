// torchgen.gen.ComputeBackendSelect: RegisterBackendSelect.cpp, kernels that
// find the dispatch key from tensor options.
#pragma once

#include <optional>
#include <string>

#include "opgen/emit/target.h"
#include "opgen/model/native_function.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

bool needs_backend_select(const model::NativeFunction& f,
                          const model::SelectiveBuilder& selector);

struct ComputeBackendSelect {
  Target target;  // kDefinition or kRegistration
  const model::SelectiveBuilder* selector;

  // Absent for functions that need no such kernel. Throws what api throws for
  // schemas that it cannot express.
  std::optional<std::string> operator()(const model::NativeFunction& f) const;
};

}  // namespace opgen::emit
