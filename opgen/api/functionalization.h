// torchgen.api.functionalization: the functions and classes that replay views
// (`ViewMeta` specializations) and undo them.
//
// Functions throw ApiError for views that do not take and return tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions_group.h"

namespace opgen::api::functionalization {

// Parameters that no schema has.
const Binding& base_binding();
const Binding& has_symbolic_inputs_binding();
const Binding& mutated_view_binding();
const Binding& out_index_binding();
const Binding& reapply_views_binding();
const Binding& inverse_return_mode_binding();

// "expand_ViewMeta".
std::string classname(const model::FunctionSchema& func,
                      bool with_namespace = false);

struct NameOptions {
  bool is_reverse = false;
  bool include_namespace = false;
  // Must be given unless is_reverse: whether the view itself is called, or its
  // copying twin.
  std::optional<bool> reapply_views = std::nullopt;
};

// What forward() or reverse() calls.
std::string name(const model::NativeFunctionsViewGroup& g, NameOptions options);
std::string reverse_name(const model::NativeFunction& f,
                         bool include_namespace);
const CType* returns_type(const model::FunctionSchema& func);
bool is_multi_output(const model::FunctionSchema& func);

// Of the base class's constructor.
std::vector<Binding> base_ctor_arguments(const model::FunctionSchema& func);
// Of the specialization's constructor, besides these.
std::vector<Binding> extra_ctor_arguments(const model::FunctionSchema& func,
                                          Locals locals);
// The specialization's data members.
std::vector<Binding> attributes(const model::FunctionSchema& func,
                                Locals locals,
                                bool owning = true);
std::vector<Binding> op_arguments(const model::FunctionSchema& func,
                                  bool is_reverse,
                                  Locals locals);

}  // namespace opgen::api::functionalization
