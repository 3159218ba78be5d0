#include "opgen/model/selective_builder.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/model/native_function.h"

namespace opgen::model {
namespace {

using Operators = std::map<std::string, SelectiveBuildOperator, std::less<>>;

const SelectiveBuildOperator* find(const Operators& operators,
                                   std::string_view name) {
  const auto found = operators.find(name);
  return found == operators.end() ? nullptr : &found->second;
}

std::string_view strip_operator_overload_name(std::string_view name) {
  return name.substr(0, name.find('.'));
}

std::string op_name_from_native_function(const NativeFunction& f) {
  return f.namespace_ + "::" + f.func.name.str();
}

}  // namespace

SelectiveBuilder SelectiveBuilder::get_nop_selector() {
  SelectiveBuilder selector;
  selector.include_all_operators = true;
  return selector;
}

SelectiveBuilder SelectiveBuilder::from_legacy_op_registration_allow_list(
    const std::vector<std::string>& allow_list,
    bool is_root_operator,
    bool is_used_for_training) {
  SelectiveBuilder selector;
  selector.include_all_non_op_selectives = true;
  for (const std::string& name : allow_list) {
    selector.operators[name] = {is_root_operator, is_used_for_training, true};
  }
  return selector;
}

bool SelectiveBuilder::is_operator_selected(std::string_view name) const {
  if (include_all_operators || operators.contains(name)) {
    return true;
  }
  const SelectiveBuildOperator* base =
      find(operators, strip_operator_overload_name(name));
  return base != nullptr && base->include_all_overloads;
}

bool SelectiveBuilder::is_native_function_selected(
    const NativeFunction& f) const {
  return include_all_operators ||
         is_operator_selected(op_name_from_native_function(f));
}

bool SelectiveBuilder::is_operator_selected_for_training(
    std::string_view name) const {
  if (!is_operator_selected(name)) {
    return false;
  }
  if (include_all_operators) {
    return true;
  }
  const SelectiveBuildOperator* op = find(operators, name);
  const SelectiveBuildOperator* base =
      find(operators, strip_operator_overload_name(name));
  return (op != nullptr && op->is_used_for_training) ||
         (base != nullptr && base->include_all_overloads &&
          base->is_used_for_training);
}

bool SelectiveBuilder::is_native_function_selected_for_training(
    const NativeFunction& f) const {
  return include_all_operators ||
         is_operator_selected_for_training(op_name_from_native_function(f));
}

bool SelectiveBuilder::is_root_operator(std::string_view name) const {
  if (!is_operator_selected(name)) {
    return false;
  }
  if (include_all_operators) {
    return true;
  }
  if (const SelectiveBuildOperator* op = find(operators, name)) {
    return op->is_root_operator;
  }
  const SelectiveBuildOperator* base =
      find(operators, strip_operator_overload_name(name));
  return base != nullptr && base->include_all_overloads &&
         base->is_root_operator;
}

bool SelectiveBuilder::is_kernel_dtype_selected(std::string_view kernel_tag,
                                                std::string_view dtype) const {
  if (include_all_operators || include_all_non_op_selectives) {
    return true;
  }
  const auto dtypes = kernel_metadata.find(kernel_tag);
  return dtypes != kernel_metadata.end() &&
         std::ranges::find(dtypes->second, dtype) != dtypes->second.end();
}

}  // namespace opgen::model
