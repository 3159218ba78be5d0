// torchgen's SelectiveBuilder: which operators a custom build registers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "opgen/model/native_function.h"

namespace opgen::model {

struct SelectiveBuildOperator {
  bool is_root_operator = false;
  bool is_used_for_training = false;
  bool include_all_overloads = false;
};

// Immutable once filled. Operator names carry their namespace:
// "aten::add.Tensor".
class SelectiveBuilder {
 public:
  bool include_all_operators = false;
  bool include_all_non_op_selectives = false;
  std::map<std::string, SelectiveBuildOperator, std::less<>> operators;
  std::map<std::string, std::vector<std::string>, std::less<>> kernel_metadata;
  std::set<std::string> custom_classes;
  std::set<std::string> build_features;

  // Selects everything.
  static SelectiveBuilder get_nop_selector();
  // Selects all overloads of the named operators.
  static SelectiveBuilder from_legacy_op_registration_allow_list(
      const std::vector<std::string>& allow_list,
      bool is_root_operator,
      bool is_used_for_training);

  bool is_operator_selected(std::string_view name) const;
  bool is_native_function_selected(const NativeFunction& f) const;
  bool is_operator_selected_for_training(std::string_view name) const;
  bool is_native_function_selected_for_training(const NativeFunction& f) const;
  bool is_root_operator(std::string_view name) const;
  bool is_kernel_dtype_selected(std::string_view kernel_tag,
                                std::string_view dtype) const;
};

}  // namespace opgen::model
