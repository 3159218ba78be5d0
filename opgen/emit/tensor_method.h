// torchgen.gen.ComputeTensorMethod: the methods in TensorBody.h.
#pragma once

#include <optional>
#include <string>

#include "opgen/emit/static_dispatch.h"
#include "opgen/emit/target.h"
#include "opgen/model/native_function.h"

namespace opgen::emit {

struct ComputeTensorMethod {
  Target target;  // kDeclaration or kDefinition
  // Methods call the operator's entry point, which is what dispatches
  // statically.
  StaticDispatchBackends static_dispatch_backend_indices = {};

  // Absent for operators that are no methods. Throws api::ApiError for a method
  // that has outputs or no self, and what api throws for schemas that it cannot
  // express.
  std::optional<std::string> operator()(const model::NativeFunction& f) const;
};

}  // namespace opgen::emit
