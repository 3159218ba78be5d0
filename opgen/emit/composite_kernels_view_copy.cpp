#include "opgen/emit/composite_kernels_view_copy.h"

#include <string_view>

#include "opgen/api/context.h"
#include "opgen/api/error.h"
#include "opgen/api/translate.h"
#include "opgen/api/types/signatures.h"
#include "opgen/emit/functionalization_text.h"
#include "opgen/emit/register_dispatch_key_error.h"

namespace opgen::emit {
namespace {

// view_copy itself also works where a view cannot be had.
constexpr std::string_view kViewCopy =
    R"text(at::Tensor view_copy_symint(const at::Tensor & self, at::SymIntArrayRef size) {
  c10::SymDimVector shape = infer_size_dv(size, self.sym_numel());
  if (!at::detail::computeStride(self.sym_sizes(), self.sym_strides(), shape).has_value()) {
    return self.reshape_symint(size);
  } else {
    auto output = at::_ops::view::call(self, size);
    return output.clone(/*memory_format=*/at::MemoryFormat::Contiguous);
  }
}
)text";

constexpr std::string_view kCloneTensor =
    "  return output.clone(/*memory_format=*/at::MemoryFormat::Contiguous);";

constexpr std::string_view kCloneList =
    R"text(  $type$ out_clone;
  for (const auto i : c10::irange(output.size())) {
    out_clone.push_back(output[i].clone(/*memory_format=*/at::MemoryFormat::Contiguous));
  }
  return out_clone;)text";

constexpr std::string_view kViewCopyKernel =
    R"text(
$defn$ {
  auto output = at::_ops::$view$::call($exprs$);
  $return$
}
)text";

const model::Type* view_return_type(const model::FunctionSchema& view) {
  if (view.returns.size() != 1) {
    throw api::ApiError("a view has one return, " + view.name.str() + " has " +
                        std::to_string(view.returns.size()));
  }
  const model::Type* tensor = model::Type::base(model::BaseTy::kTensor);
  const model::Type* type = view.returns.front().type;
  if (type != tensor && type != model::Type::list(tensor, std::nullopt)) {
    throw api::ApiError("a view returns Tensor or Tensor[], " +
                        view.name.str() + " returns " + type->str());
  }
  return type;
}

std::string view_copy_kernel(const model::NativeFunctionsViewGroup& g,
                             const model::BackendIndex& backend_index) {
  const model::FunctionSchema& view = g.view->func;
  const model::FunctionSchema& view_copy = g.view_copy->func;
  const model::BackendMetadata* metadata =
      backend_index.get_kernel(*g.view_copy);
  if (metadata == nullptr) {
    throw api::ApiError(view_copy.name.str() + " needs a kernel for " +
                        std::string(name_of(backend_index.dispatch_key)));
  }
  if (view_copy.name.str() == "view_copy") {
    if (metadata->kernel != "view_copy_symint") {
      throw api::ApiError(
          "the kernel of view_copy must be view_copy_symint, not " +
          metadata->kernel);
    }
    return std::string(kViewCopy);
  }
  const api::Locals locals = api::locals_of(g);
  const api::NativeSignature view_copy_sig{
      &view_copy, locals, metadata->supports_symint(), {}};
  const auto view_sig = api::DispatcherSignature::from_schema(view, locals);
  const auto exprs =
      api::translate(view_copy_sig.arguments(), view_sig.arguments());
  const std::string return_cloned =
      view_return_type(view)->is_list()
          ? filled(kCloneList,
                   {{"type", view_copy_sig.returns_type()->cpp_type()}})
          : std::string(kCloneTensor);
  return filled(kViewCopyKernel,
                {{"defn", view_copy_sig.defn(metadata->kernel)},
                 {"view", view.name.unambiguous_name()},
                 {"exprs", api::join_exprs(exprs)},
                 {"return", return_cloned}});
}

}  // namespace

std::optional<std::string> gen_composite_view_copy_kernel(
    const model::NativeFunctionsViewGroup& g,
    const model::BackendIndex& backend_index) {
  if (g.view_copy == nullptr || g.view_copy->func.name.name.base !=
                                    g.view->func.name.name.str() + "_copy") {
    return std::nullopt;
  }
  return native_function_manager(
      *g.view, [&] { return view_copy_kernel(g, backend_index); });
}

}  // namespace opgen::emit
