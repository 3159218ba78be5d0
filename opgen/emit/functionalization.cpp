#include "opgen/emit/functionalization.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

#include "opgen/api/context.h"
#include "opgen/api/error.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_arguments.h"
#include "opgen/emit/functionalization_mutation.h"
#include "opgen/emit/functionalization_view.h"
#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::emit {
namespace {

using model::NativeFunction;
using model::NativeFunctionsGroup;
using model::NativeFunctionsViewGroup;

// torchgen's MUTABLE_OPS_NOT_USING_FUNCTIONALIZATION.
constexpr std::array<std::string_view, 10> kMutableOpsNotUsingFunctionalization{
    "adaptive_avg_pool3d_backward.grad_input",
    "_slow_conv2d_backward.grad_input",
    "_cummax_helper",
    "_cummin_helper",
    "polygamma_",
    "record_stream",
    "resize_",
    "resize_as_",
    "_fill_mem_eff_dropout_mask_",
    "_flash_attention_forward_no_dropout_inplace",
};

bool is_exempt(std::string_view name) {
  return std::ranges::find(kMutableOpsNotUsingFunctionalization, name) !=
         kMutableOpsNotUsingFunctionalization.end();
}

std::string registration(const NativeFunction& f,
                         const model::BackendIndex& index) {
  std::string text = "m.impl(\"" + f.func.name.str() + "\", ";
  if (!f.has_composite_implicit_autograd_kernel) {
    text.append("TORCH_FN(functionalization::");
    return text.append(wrapper_name(f.func)).append("));");
  }
  const model::BackendMetadata* metadata = index.get_kernel(f);
  if (metadata == nullptr) {
    throw api::ApiError(f.func.name.str() +
                        " needs a kernel for CompositeImplicitAutograd");
  }
  const api::NativeSignature sig{
      &f.func, api::locals_of(f), metadata->supports_symint(), {}};
  text.append("static_cast<").append(sig.ptr_type());
  return text.append(">(at::native::").append(metadata->kernel).append("));");
}

void register_view(const NativeFunctionsViewGroup& g,
                   const model::BackendIndex& index,
                   std::vector<std::string>& out) {
  if (g.view->func.name.str() == "lift_fresh") {
    return;
  }
  out.push_back(registration(*g.view, index));
  if (g.view_inplace == nullptr) {
    return;
  }
  if (!g.view_inplace->is_view_op()) {
    throw api::ApiError("expected a view: " + g.view_inplace->func.name.str());
  }
  out.push_back(registration(*g.view_inplace, index));
}

// What is registered of an operator that makes no view.
std::vector<const NativeFunction*> registered_functions(
    const model::FunctionOrAnyGroup& g) {
  if (const auto* f = std::get_if<const NativeFunction*>(&g)) {
    return is_exempt((*f)->func.name.str())
               ? std::vector<const NativeFunction*>{}
               : std::vector<const NativeFunction*>{*f};
  }
  const auto& group = *std::get<const NativeFunctionsGroup*>(g);
  if (group.inplace != nullptr &&
      group.inplace->func.name.str() == "set_.source_Tensor") {
    return {};
  }
  return group.functions();
}

void check_lone_function(const NativeFunction& f) {
  if (f.has_composite_implicit_autograd_kernel || !modifies_arguments(f) ||
      is_exempt(f.func.name.str()) || is_exempt(f.func.name.name.str())) {
    return;
  }
  throw api::ApiError(
      f.func.name.str() +
      " writes to an argument, but has no functional variant to replace it");
}

void define_mutations(const NativeFunctionsGroup& g,
                      std::vector<std::string>& out) {
  for (const NativeFunction* f : {g.out, g.inplace, g.mutable_}) {
    if (f != nullptr) {
      out.push_back(emit_inplace_functionalization_body(*f, g));
    }
  }
}

void define_views(const NativeFunctionsViewGroup& g,
                  std::vector<std::string>& out) {
  if (g.composite()) {
    return;
  }
  if (g.view_copy == nullptr) {
    throw api::ApiError(g.view->func.name.str() +
                        " is a view without a copying variant");
  }
  out.push_back(emit_view_functionalization_body(g, false));
  if (g.view_inplace != nullptr) {
    out.push_back(emit_view_functionalization_body(g, true));
  }
}

}  // namespace

void gen_functionalization_definition(const model::SelectiveBuilder& selector,
                                      const model::FunctionOrAnyGroup& g,
                                      std::vector<std::string>& out) {
  if (!selector.include_all_operators) {
    return;
  }
  if (const auto* view = std::get_if<const NativeFunctionsViewGroup*>(&g)) {
    define_views(**view, out);
  } else if (const auto* f = std::get_if<const NativeFunction*>(&g)) {
    check_lone_function(**f);
  } else {
    define_mutations(*std::get<const NativeFunctionsGroup*>(g), out);
  }
}

void gen_functionalization_registration(
    const model::SelectiveBuilder& selector,
    const model::FunctionOrAnyGroup& g,
    const model::BackendIndex& composite_implicit_autograd_index,
    std::vector<std::string>& out) {
  if (!selector.include_all_operators) {
    return;
  }
  if (const auto* view = std::get_if<const NativeFunctionsViewGroup*>(&g)) {
    register_view(**view, composite_implicit_autograd_index, out);
    return;
  }
  std::vector<std::string> lines;
  for (const NativeFunction* f : registered_functions(g)) {
    if (f->has_composite_implicit_autograd_kernel) {
      continue;
    }
    const std::string name = f->func.name.str();
    if (name == "lift" || name == "resize_") {
      return;
    }
    if (f->is_view_op() && f->func.name.name.str() != "set_") {
      throw api::ApiError("a view stands among operators that make none: " +
                          name);
    }
    if (modifies_arguments(*f)) {
      lines.push_back(registration(*f, composite_implicit_autograd_index));
    }
  }
  std::ranges::move(lines, std::back_inserter(out));
}

std::optional<std::string> gen_functionalization_view_inverse_declaration(
    const NativeFunctionsViewGroup& g) {
  if (g.composite()) {
    return std::nullopt;
  }
  return native_function_manager(
      *g.view, [&g] { return api::ViewInverseSignature{&g}.decl(); });
}

}  // namespace opgen::emit
