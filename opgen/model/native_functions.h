// Everything that one run knows: the functions in order, their groups, and the
// kernels of every dispatch key. Immutable once built; groups and indices point
// to functions that it owns.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::model {

class NativeFunctions {
 public:
  NativeFunctions() = default;
  NativeFunctions(NativeFunctions&&) = default;
  NativeFunctions& operator=(NativeFunctions&&) = default;
  NativeFunctions(const NativeFunctions&) = delete;
  NativeFunctions& operator=(const NativeFunctions&) = delete;
  ~NativeFunctions() = default;

  // The order of the file; functions that were generated from it follow.
  // functions[i]->id == i.
  std::vector<std::unique_ptr<NativeFunction>> functions;
  // By key in enum order; an index for every key that some function names, and
  // for all of all_dispatch_keys().
  std::map<DispatchKey, BackendIndex> backend_indices;
  // The keys of backend_indices in the order in which functions name them
  // first; keys that none names follow.
  std::vector<DispatchKey> backend_index_order;
  // The names in tags.yaml, in its order, and their descriptions.
  std::vector<std::pair<std::string, std::string>> valid_tags;

  // torchgen's get_grouped_native_functions: groups and lone functions in the
  // order in which their signatures appear first.
  std::vector<FunctionOrGroup> grouped_native_functions;
  // torchgen's get_grouped_by_view_native_functions.
  std::vector<FunctionOrViewGroup> native_functions_with_view_groups;

  // What the entries above point to.
  std::deque<NativeFunctionsGroup> groups;
  std::deque<NativeFunctionsViewGroup> view_groups;

  // Null if there is none of this name ("add.Tensor").
  const NativeFunction* find(std::string_view operator_name) const;

  std::unordered_map<std::string, const NativeFunction*> by_name;
};

}  // namespace opgen::model
