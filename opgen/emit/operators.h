// torchgen.gen.ComputeOperators: Operators.h, one struct per operator in
// at::_ops with its schema and entry points, and Operators.cpp.
#pragma once

#include <string>

#include "opgen/emit/static_dispatch.h"
#include "opgen/emit/target.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

struct ComputeOperators {
  Target target;  // kDeclaration or kDefinition
  StaticDispatchBackends static_dispatch_backend_indices;

  // Throws what api throws for schemas that it cannot express.
  std::string operator()(const model::NativeFunction& f) const;
};

}  // namespace opgen::emit
