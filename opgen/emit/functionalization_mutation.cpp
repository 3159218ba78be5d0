#include "opgen/emit/functionalization_mutation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/dispatcher.h"
#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/composite_kernels.h"
#include "opgen/emit/functionalization_arguments.h"
#include "opgen/emit/functionalization_text.h"

namespace opgen::emit {
namespace {

// Cumulative operators whose out= variant computes in the type of `out` where
// dtype is not given. The last two have names for dimensions (PyTorch 2.12).
constexpr std::array<std::string_view, 4> kCumulativeOutOpsPreservingOutDtype{
    "cumsum.out", "cumprod.out", "cumsum.dimname_out", "cumprod.dimname_out"};

constexpr std::string_view kResult = "tmp_output";

// What a kernel returns that calls its own operator: first the arguments that
// returns alias, then the rest of the inner results.
struct RedispatchReturns {
  std::vector<std::string> aliased;
  std::vector<std::string> non_aliased;
};

RedispatchReturns get_mutable_redispatch_return_names(
    const model::FunctionSchema& func) {
  RedispatchReturns result;
  const auto aliased = func.aliased_return_names();
  for (std::size_t i = 0; i < aliased.size(); ++i) {
    if (aliased[i]) {
      result.aliased.push_back(*aliased[i]);
    } else {
      result.non_aliased.push_back(
          nth_return(i, func.returns.size(), std::string(kResult)));
    }
  }
  return result;
}

std::vector<std::string> concatenated(std::vector<std::string> first,
                                      std::span<const std::string> second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string maybe_create_output(const model::FunctionSchema& func,
                                api::Locals locals) {
  if (func.returns.empty()) {
    return {};
  }
  return api::dispatcher::returns_type(func.returns, locals)
             ->remove_const_ref()
             ->cpp_type() +
         " tmp_output = ";
}

constexpr std::string_view kWrapOutput =
    "  auto $name$ = at::functionalization::impl::to_functional_tensor($ret$);";

constexpr std::string_view kPropagate =
    R"text(  auto $arg$_inner = at::functionalization::impl::from_functional_tensor($arg$);
  at::functionalization::impl::replace_($arg$, $ret$);
  at::functionalization::impl::commit_update($arg$);
  at::functionalization::impl::sync($arg$);
  auto $arg$_inner_updated = at::functionalization::impl::from_functional_tensor($arg$);
  at::functionalization::impl::propagate_xla_data_direct($arg$_inner, $arg$_inner_updated);)text";

std::string wrap_propagate_mutations_and_return(
    const model::FunctionSchema& func,
    const model::FunctionSchema& functional,
    const RedispatchReturns& outer,
    api::Locals locals) {
  const auto mutated = func.arguments.mutable_arg_names();
  const auto inner =
      get_mutable_redispatch_return_names(functional).non_aliased;
  const std::size_t fresh = outer.non_aliased.size();
  if (mutated.size() + fresh != inner.size()) {
    throw api::ApiError("the results of " + functional.name.str() +
                        " are not those of " + func.name.str() +
                        " and what it writes to");
  }
  std::string text;
  std::vector<std::string> wrapped;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    text.append(i == 0 ? "" : "\n");
    if (i < fresh) {
      wrapped.push_back("output_" + std::to_string(i));
      fill(text, kWrapOutput, {{"name", wrapped.back()}, {"ret", inner[i]}});
    } else {
      fill(text, kPropagate, {{"arg", mutated[i - fresh]}, {"ret", inner[i]}});
    }
  }
  text.append("\n    ");
  return text.append(
      return_str(func.returns, concatenated(outer.aliased, wrapped), locals));
}

void maybe_replace_cumulative_out_dtype_exprs(
    const model::FunctionSchema& func,
    std::span<const api::Binding> functional_arguments,
    std::vector<api::Expr>& exprs) {
  if (func.kind() != model::SchemaKind::kOut ||
      std::ranges::find(kCumulativeOutOpsPreservingOutDtype, func.name.str()) ==
          kCumulativeOutOpsPreservingOutDtype.end()) {
    return;
  }
  const auto dtype =
      std::ranges::find(functional_arguments, "dtype", &api::Binding::name);
  if (func.arguments.out().size() != 1 || dtype == functional_arguments.end()) {
    throw api::ApiError("a cumulative operator has one output and a dtype: " +
                        func.name.str());
  }
  std::string& expr =
      exprs[static_cast<std::size_t>(dtype - functional_arguments.begin())]
          .expr;
  expr = filled(
      "$dtype$.has_value() ? $dtype$ : "
      "std::optional<at::ScalarType>($out$_.scalar_type())",
      {{"dtype", expr}, {"out", func.arguments.out().front().name}});
}

// Conditions on the tensors among the arguments.
struct ArgumentChecks {
  std::string mutated_are_functional = "true";
  std::string others_are_functional = "false";
  std::string others_are_xla = "false";
  bool any_storage = false;
};

ArgumentChecks check_arguments(const model::FunctionSchema& func) {
  constexpr std::string_view kFunctional =
      "at::functionalization::impl::isFunctionalTensor($name$)";
  ArgumentChecks checks;
  for (const model::Argument& a : func.arguments.flat_all()) {
    checks.any_storage =
        checks.any_storage || a.type->is(model::BaseTy::kStorage);
    if (!a.type->is_tensor_like()) {
      continue;
    }
    if (a.annotation) {
      fill(checks.mutated_are_functional.append(" && "),
           kFunctional,
           {{"name", a.name}});
      continue;
    }
    fill(checks.others_are_functional.append(" || "),
         kFunctional,
         {{"name", a.name}});
    if (a.type->is(model::BaseTy::kTensor)) {
      fill(checks.others_are_xla.append(" || "),
           "$name$.device().type() == c10::DeviceType::XLA",
           {{"name", a.name}});
    }
  }
  return checks;
}

constexpr std::string_view kMutationKernel =
    R"text(
    $defn$ {
      if ($check_meta$ && !disable_meta_reference()) {
        // Before converting the mutable op to its functional variant, run meta tensors through the original op.
        // This will help us catch shape errors that apply to inplace ops that wouldn't apply to their functional variants.
        // (We can only do this for inplace ops today though, because they technically all support meta tensors).
        $to_meta$
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        at::_ops::$op$::call($meta_args$);
      }
      $unwrap$
      if (!($mutated_are_functional$)) {
        // We want to disable this check if there are any XLA tensors.
        // cpu_tensor.copy_(xla_tensor) is valid code.
        if (!($others_are_xla$) && ($others_are_functional$)) {
         // case 1: trying to mutate a non functional tensor with a functional tensor is an error
         TORCH_INTERNAL_ASSERT(false,
           "mutating a non-functional tensor with a functional tensor is not allowed.",
           " Please ensure that all of your inputs are wrapped inside of a functionalize() call.");
        } else {
         // case 2: arguments are not functional tensors, so we no-op and redispatch.
         at::AutoDispatchSkipFunctionalize guard;
         $output$at::_ops::$op$::call($args$);
         $return_noop$
        }
      } else {
        $type$ tmp_output;
        {
          at::AutoDispatchSkipFunctionalize guard;
          tmp_output = at::_ops::$functional$::call($functional_args$);
        }
        $propagate$
      }
    })text";

}  // namespace

std::string emit_inplace_functionalization_body(
    const model::NativeFunction& f, const model::NativeFunctionsGroup& g) {
  const model::FunctionSchema& func = f.func;
  const model::FunctionSchema& functional = g.functional->func;
  if (!modifies_arguments(f)) {
    throw api::ApiError("expected an operator that writes to an argument: " +
                        func.name.str());
  }
  const api::Locals locals = api::locals_of(f);
  const auto sig = api::DispatcherSignature::from_schema(func, locals);
  const auto functional_sig =
      api::DispatcherSignature::from_schema(functional, locals);
  const auto arguments = sig.arguments();
  const auto functional_arguments = functional_sig.arguments();
  const ConvertedArguments unwrapped = unwrap_tensor_args(arguments, false);
  const ConvertedArguments meta = convert_to_meta_tensors(arguments);
  const ArgumentChecks checks = check_arguments(func);
  const auto args = api::translate(unwrapped.context, arguments);
  auto functional_args =
      api::translate(unwrapped.context, functional_arguments);
  maybe_replace_cumulative_out_dtype_exprs(
      func, functional_arguments, functional_args);
  const RedispatchReturns returns = get_mutable_redispatch_return_names(func);
  const bool check_meta =
      !checks.any_storage && func.kind() == model::SchemaKind::kInplace;
  return filled(
      kMutationKernel,
      {{"defn", sig.defn(wrapper_name(func), true)},
       {"check_meta", check_meta ? "true" : "false"},
       {"to_meta", meta.statements},
       {"op", func.name.unambiguous_name()},
       {"meta_args", join_names(meta.context)},
       {"unwrap", unwrapped.statements},
       {"mutated_are_functional", checks.mutated_are_functional},
       {"others_are_xla", checks.others_are_xla},
       {"others_are_functional", checks.others_are_functional},
       {"output", maybe_create_output(func, locals)},
       {"args", api::join_exprs(args)},
       {"return_noop",
        return_str(func.returns,
                   concatenated(returns.aliased, returns.non_aliased),
                   locals)},
       {"type", functional_sig.returns_type()->remove_const_ref()->cpp_type()},
       {"functional", functional.name.unambiguous_name()},
       {"functional_args", api::join_exprs(functional_args)},
       {"propagate",
        wrap_propagate_mutations_and_return(
            func, functional, returns, locals)}});
}

}  // namespace opgen::emit
