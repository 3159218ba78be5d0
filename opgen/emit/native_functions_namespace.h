// Declarations inside of nested namespaces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::emit {

// torchgen.utils.NamespaceHelper: the lines that open and close namespaces.
struct NamespaceHelper {
  std::string prologue;  // "namespace at {\nnamespace native {"
  std::string epilogue;

  // Throws std::runtime_error for more than `max_level` levels.
  explicit NamespaceHelper(std::string_view namespace_str,
                           std::size_t max_level = 2);
};

// The function that stands for an item in errors: out= of a group.
const model::NativeFunction& main_function(const model::FunctionOrGroup& item);

// Declarations by namespace, in the order in which namespaces are first asked
// for.
class GroupedDeclarations {
 public:
  // `f` is the function that a namespace with too many levels is blamed on.
  std::size_t index_of(std::string_view namespace_str,
                       const model::NativeFunction& f);

  std::vector<std::string>& texts(std::size_t index) {
    return groups_[index].texts;
  }

  // One text for each namespace with each declaration once, without empty
  // lines; no namespaces without declarations if `skip_empty`. Throws EmitError
  // for a namespace of more than `max_level` levels.
  std::vector<std::string> declarations(std::size_t max_level,
                                        bool skip_empty) const;

 private:
  struct Group {
    std::string namespace_str;
    std::vector<std::string> texts;
    const model::NativeFunction* first;
  };

  std::vector<Group> groups_;
};

}  // namespace opgen::emit
