// torchgen's context.py: the Locals that hold while code is generated for a
// function or a group.
#pragma once

#include "opgen/api/types/binding.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api {

inline Locals locals_of(const model::NativeFunction& f) {
  return {f.use_const_ref_for_mutable_tensors, f.part_of_structured_group()};
}

// Groups take those of the out= function, view groups those of the view.
inline Locals locals_of(const model::NativeFunctionsGroup& g) {
  return locals_of(*g.out);
}

inline Locals locals_of(const model::NativeFunctionsViewGroup& g) {
  return locals_of(*g.view);
}

}  // namespace opgen::api
