#include "opgen/model/native_functions_group.h"

#include <string_view>

namespace opgen::model {

namespace {

bool ends_with(const std::string& text, std::string_view suffix) {
  return std::string_view(text).ends_with(suffix);
}

}  // namespace

std::vector<const NativeFunction*> NativeFunctionsGroup::functions() const {
  std::vector<const NativeFunction*> all = {functional, out};
  if (inplace != nullptr) {
    all.push_back(inplace);
  }
  if (mutable_ != nullptr) {
    all.push_back(mutable_);
  }
  return all;
}

std::vector<const NativeFunction*> NativeFunctionsViewGroup::functions(
    bool include_copy) const {
  std::vector<const NativeFunction*> all = {view};
  if (view_inplace != nullptr) {
    all.push_back(view_inplace);
  }
  if (view_copy != nullptr && include_copy) {
    all.push_back(view_copy);
  }
  return all;
}

bool gets_generated_view_copy(const NativeFunction& f) {
  return f.is_view_op() && !f.has_composite_implicit_autograd_kernel &&
         !f.has_tag("inplace_view") &&
         !ends_with(f.func.name.name.base, "_inverse");
}

OperatorName get_view_copy_name(const NativeFunction& f) {
  OperatorName name;
  name.name.base = f.func.name.name.base + "_copy";
  name.name.dunder_method = f.func.name.name.dunder_method;
  name.overload_name = f.func.name.overload_name;
  return name;
}

const std::string& root_name(const FunctionOrGroup& item) {
  return std::visit(
      [](const auto* value) -> const std::string& {
        return value->root_name();
      },
      item);
}

}  // namespace opgen::model
