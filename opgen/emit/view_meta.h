// torchgen.gen_functionalization_type.ViewMetaSpecialization: a class for each
// view that can replay it, and take it back, on another tensor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opgen/api/types/binding.h"
#include "opgen/model/native_functions_group.h"
#include "opgen/model/selective_builder.h"

namespace opgen::emit {

class ViewMetaSpecialization {
 public:
  // `f` is the view or the view_inplace of the group; both outlive this object.
  ViewMetaSpecialization(const model::NativeFunctionsViewGroup& g,
                         const model::NativeFunction& f);

  std::string decl() const;
  // Appends the definitions of the class's methods.
  void impl(std::vector<std::string>& out) const;
  // The line that makes the class known to Python.
  std::string binding() const;
  // The expression that makes an instance. `out_index` is only used by views
  // with several outputs.
  std::string new_instance(std::string_view out_index) const;

 private:
  std::string base_constructor_call() const;
  std::string opcall(bool is_reverse, bool reapply_views) const;

  const model::NativeFunctionsViewGroup& g_;
  const model::NativeFunction& f_;
  api::Locals locals_;
  bool is_multi_output_;
  std::string classname_;
  // Parameters of the constructor: those of the base class, then one for each
  // attribute, not owning.
  std::vector<api::Binding> base_ctor_arguments_;
  std::vector<api::Binding> extra_ctor_arguments_;
  std::vector<api::Binding> attributes_;
};

// What the group's classes need in ViewMetaClasses.h, ViewMetaClasses.cpp and
// ViewMetaClassesPythonBinding.cpp: nothing for composite views and for a
// selector that leaves operators out. Appends to `out`; throws EmitError.
void gen_functionalization_view_meta_classes_decl(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out);
void gen_functionalization_view_meta_classes_impl(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out);
void gen_functionalization_view_meta_classes_binding(
    const model::SelectiveBuilder& selector,
    const model::NativeFunctionsViewGroup& g,
    std::vector<std::string>& out);

}  // namespace opgen::emit
