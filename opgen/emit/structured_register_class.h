// The classes that wrappers of structured kernels define: they take the outputs
// that the meta function asks for.
#pragma once

#include <cstddef>
#include <string>

#include "opgen/model/dispatch_key.h"
#include "opgen/model/function_schema.h"

namespace opgen::emit {

struct StructuredClass {
  std::string name;
  std::string parent_class;
  model::DispatchKey dispatch_key = model::DispatchKey::kUndefined;
  model::SchemaKind kind = model::SchemaKind::kFunctional;
  std::size_t returns = 0;
  // Whether set_output functions call those of the parent class.
  bool generate_super = false;
  // As RegisterDispatchKey's.
  bool named_tensors = false;
};

// torchgen's StructuredRegisterDispatchKey.gen_class, appended to `out`.
// Returns false, and appends nothing, for a kind or a key that has no such
// class.
bool gen_class(const StructuredClass& structured_class, std::string& out);

}  // namespace opgen::emit
