#include "opgen/emit/functionalization_view.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "opgen/api/context.h"
#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_arguments.h"
#include "opgen/emit/functionalization_symbolic.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/emit/view_meta.h"

namespace opgen::emit {
namespace {

// The input is its first argument, a Tensor, and nothing else is aliased.
void assert_view_op_properties(const model::FunctionSchema& func) {
  const auto args = func.arguments.flat_non_out();
  if (args.empty() || !args.front().type->is(model::BaseTy::kTensor)) {
    throw api::ApiError("the first argument of a view must be a Tensor: " +
                        func.name.str());
  }
  const bool others_alias = std::ranges::any_of(
      args.subspan(1),
      [](const model::Argument& a) { return a.annotation.has_value(); });
  if (!args.front().annotation || others_alias) {
    throw api::ApiError(
        "the first argument of a view, and no other, must alias its result: " +
        func.name.str());
  }
}

constexpr std::string_view kInplaceView =
    R"text(
    $defn$ {
      if (!at::functionalization::impl::isFunctionalTensor($self$)) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        $unwrap$
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::$view$::call($args$);
      }
      auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();
      auto inverse_return_mode = (
          reapply_views ? at::functionalization::InverseReturnMode::ViewOrScatterInverse
            : at::functionalization::InverseReturnMode::NeverView
      );
      $symbolic$
      auto view_meta = $view_meta$;
      auto compute_reference_meta =
        $self$.key_set().has_backend(c10::BackendComponent::XLABit) ||
        $self$.key_set().has_backend(c10::BackendComponent::LazyBit);
      $type$ reference_tensor_output;
      if (compute_reference_meta && !disable_meta_reference()) {
        $to_meta$
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        reference_tensor_output = at::_ops::$view$::call($meta_args$);
      }
      // This function adds the above view meta to the current tensor and replays them off the base,
      // mutating the size/stride info of the current FunctionalTensorWrapper.
      // Because of this, we need to make sure to run the reference shape function above,
      // BEFORE doing this (otherwise we'll end up running the reference function using the wrong sizes/strides)
      at::functionalization::impl::mutate_view_meta($self$, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      // XLA/LTC don't implement the logic to propagate strides correctly, so we need to rely
      // on a reference implementation here (instead of relying on the output from the forward lambda
      // having the correct stride info)
      if (compute_reference_meta && !disable_meta_reference()) {
        at::functionalization::impl::set_sizes_strides_offset($self$, reference_tensor_output);
      }
      return $self$;
    }
)text";

constexpr std::string_view kView =
    R"text(
    $defn$ {
      $unwrap$
      if (!at::functionalization::impl::isFunctionalTensor($self$)) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::$view$::call($args$);
      }
      auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();
      auto inverse_return_mode = (
          reapply_views ? at::functionalization::InverseReturnMode::ViewOrScatterInverse
            : at::functionalization::InverseReturnMode::NeverView
      );
      auto compute_reference_meta =
        $self$.key_set().has_backend(c10::BackendComponent::XLABit) ||
        $self$.key_set().has_backend(c10::BackendComponent::LazyBit);
      $type$ reference_tensor_output;
      if (compute_reference_meta && !disable_meta_reference()) {
        $to_meta$
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        reference_tensor_output = at::_ops::$view$::call($meta_args$);
      }
      $type$ tmp_output;
      {
        at::AutoDispatchSkipFunctionalize guard;
        if (reapply_views) {
          tmp_output = at::_ops::$view$::call($args$);
        } else {
          tmp_output = at::_ops::$view_copy$::call($args$);
        }
      }
      $symbolic$
      auto view_meta = $view_meta$;
      auto out = at::functionalization::impl::create_functional_tensor_with_view_meta(tmp_output, $self$, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      if (compute_reference_meta && !disable_meta_reference()) {
        at::functionalization::impl::set_sizes_strides_offset(out, reference_tensor_output);
      }
      return out;
    }
)text";

}  // namespace

std::string emit_view_functionalization_body(
    const model::NativeFunctionsViewGroup& g, bool view_inplace) {
  const model::NativeFunction& f = view_inplace ? *g.view_inplace : *g.view;
  assert_view_op_properties(f.func);
  const api::Locals locals = api::locals_of(f);
  const auto sig = api::DispatcherSignature::from_schema(f.func, locals);
  const std::vector<api::Binding> arguments = sig.arguments();
  const std::vector<api::Binding> call_arguments =
      api::DispatcherSignature::from_schema(g.view_copy->func, locals)
          .arguments();
  const ConvertedArguments unwrapped = unwrap_tensor_args(arguments, true);
  const ConvertedArguments meta = convert_to_meta_tensors(arguments);
  const auto args = api::translate(unwrapped.context, call_arguments);
  const auto meta_args = api::translate(meta.context, call_arguments);
  const api::CType* type = sig.returns_type()->remove_const_ref();
  return filled(f.has_tag("inplace_view") ? kInplaceView : kView,
                {{"defn", sig.defn(wrapper_name(f.func), true)},
                 {"self", arguments.front().name},
                 {"unwrap", unwrapped.statements},
                 {"view", f.func.name.unambiguous_name()},
                 {"view_copy", g.view_copy->func.name.unambiguous_name()},
                 {"args", api::join_exprs(args)},
                 {"symbolic", emit_has_symbolic_inputs(call_arguments)},
                 {"view_meta", ViewMetaSpecialization(g, f).new_instance("0")},
                 {"type", type->cpp_type()},
                 {"to_meta", meta.statements},
                 {"meta_args", api::join_exprs(meta_args)}});
}

}  // namespace opgen::emit
