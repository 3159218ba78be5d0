// What ADInplaceOrViewType needs of derivatives.yaml: which operators have
// derivatives, and which of their results are differentiable.
//
// Formulas are only looked at for the names in them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opgen/model/function_schema.h"
#include "opgen/model/native_function.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/source.h"

namespace opgen::emit {

// The formulas of one entry for one dispatch key.
struct DerivativeFormulas {
  std::string key;  // "Default" where the entry names none
  text::SourceRange range;
  // "self, other" and the formula, sorted.
  std::vector<std::pair<std::string, std::string>> formulas;
};

// An entry of derivatives.yaml.
struct DerivativeEntry {
  std::string schema;
  text::SourceRange range;  // of the schema
  std::optional<std::vector<bool>> output_differentiability;
  std::vector<DerivativeFormulas> dispatch;  // as the file has them
};

// torchgen's DifferentiabilityInfo, as far as it is needed here.
struct DerivativeInfo {
  std::string key;
  // Arguments that some formula gives the derivative of.
  std::vector<std::string> args_with_derivatives;
  std::vector<std::string> non_differentiable_arg_names;
  std::optional<std::vector<bool>> output_differentiability;
  // Whether a formula uses the gradient as `grad`, so of the first result only.
  bool uses_single_grad = false;
};

struct DerivativeInfos {
  const model::NativeFunction* func = nullptr;  // that it was written for
  std::vector<DerivativeInfo> by_key;

  bool has_derivatives() const;
  // Null if there are no formulas for the key.
  const DerivativeInfo* find(std::string_view key) const;
};

// torchgen's gen_differentiable_outputs for the key Default: the returns that
// are differentiable, at most the first if the formulas use no other. `info` is
// null where there are no derivatives. Throws api::ApiError if the entry does
// not fit the function.
std::vector<const model::Return*> differentiable_outputs(
    const model::NativeFunction& f, const DerivativeInfos* info);

// The derivatives of every function of a run. Refers to the functions.
class Derivatives {
 public:
  // No function has derivatives.
  Derivatives() = default;

  // torchgen's match_differentiability_info: the entry of a function or, where
  // it has none, that of its functional variant, or of the operator that a
  // _foreach_ function applies.
  static Derivatives match(std::deque<DerivativeInfos> infos,
                           const model::NativeFunctions& program);

  // Null if the function has none.
  const DerivativeInfos* find(const model::NativeFunction& f) const {
    return f.id < by_id_.size() ? by_id_[f.id] : nullptr;
  }

 private:
  class Matcher;

  std::deque<DerivativeInfos> infos_;
  std::vector<const DerivativeInfos*> by_id_;
};

}  // namespace opgen::emit
