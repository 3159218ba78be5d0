// Finds the definitions of functions in C++ source text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opgen/backend/kernel_check_tokens.h"

namespace opgen::backend {

struct FunctionDefinition {
  // Namespaces, classes and the function's own name, from the outside in. A
  // definition by TORCH_IMPL_FUNC(name) is called {..., "structured_name",
  // "impl"}.
  std::vector<std::string> path;
  // As normalize_type gives them.
  std::vector<std::string> parameters;
  std::string_view text;  // its name in the source

  const std::string& name() const { return path.back(); }

  // "my::Class::add".
  std::string qualified_name() const;
  // Whether the last names of the path are these.
  bool ends_with(const std::vector<std::string_view>& names) const;
};

// In the order of the text. All branches of preprocessor conditions count but
// those that without_dead_branches drops. A function whose body has no end is
// not defined. Never fails: text that it does not understand holds no
// definitions.
std::vector<FunctionDefinition> find_definitions(std::string_view source);

// One spelling for all spellings of a type that differ in namespaces, in white
// space, in where `const` stands, in aliases of ATen (IntArrayRef and
// ArrayRef<int64_t>) or in a `const` that callers cannot see.
std::string normalize_type(std::string_view type);

}  // namespace opgen::backend
