#include <string>
#include <string_view>
#include <vector>

#include "opgen/emit/register_dispatch_key.h"
#include "opgen/model/backend_index.h"
#include "opgen/model/dispatch_key.h"

namespace opgen::emit {
namespace {

using model::DispatchKey;

struct EmptyImplNames {
  std::string empty;  // empty if the key has none
  std::string empty_strided;
};

EmptyImplNames gen_empty_impl_names(DispatchKey key) {
  switch (key) {
    case DispatchKey::kMeta:
    case DispatchKey::kCPU:
    case DispatchKey::kCUDA:
    case DispatchKey::kMPS:
    case DispatchKey::kXPU:
    case DispatchKey::kMTIA: {
      const std::string dispatch = lower_name_of(key);
      return {"at::detail::empty_" + dispatch,
              "at::detail::empty_strided_" + dispatch};
    }
    case DispatchKey::kCompositeExplicitAutogradNonFunctional:
    case DispatchKey::kQuantizedCPU:
    case DispatchKey::kQuantizedCUDA:
      return {"at::empty", "at::empty_strided"};
    default:
      return {};
  }
}

std::string gen_create_out_helper(const EmptyImplNames& names,
                                  DispatchKey key) {
  const std::string_view options =
      key == DispatchKey::kMeta ? "options.device(at::kMeta)" : "options";
  std::string text =
      "\nTensor create_out(IntArrayRef sizes, IntArrayRef strides, const "
      "TensorOptions &options) {\n"
      "  if (strides.empty()) {\n"
      "      return ";
  text += names.empty;
  text += "(sizes, ";
  text += options;
  text +=
      ");\n"
      "  } else {\n"
      "      return ";
  text += names.empty_strided;
  text += "(sizes, strides, ";
  text += options;
  text +=
      ");\n"
      "  }\n"
      "}\n";
  return text;
}

std::string gen_maybe_create_proxy_helper(const EmptyImplNames& names) {
  std::string text =
      "\nstd::optional<Tensor> maybe_create_proxy(const Tensor &out, "
      "IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) "
      "{\n"
      "  if (out.strides() != strides) {\n"
      "    return ";
  text += names.empty_strided;
  text +=
      "(sizes, strides, options);\n"
      "  }\n"
      "  return std::nullopt;\n"
      "}\n";
  return text;
}

constexpr std::string_view kResizeOutHelper = R"text(
void resize_out(const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  TORCH_CHECK(options.dtype() == out.dtype(),
      "Expected out tensor to have dtype ", options.dtype(), ", but got ", out.dtype(), " instead");
  TORCH_CHECK(options.device() == out.device(),
      "Expected out tensor to have device ", options.device(), ", but got ", out.device(), " instead");
  const bool resized = at::native::resize_output(out, sizes);
  // Only restride if a resize occurred; otherwise we ignore the (advisory)
  // strides from the meta function and directly use the output tensor's
  // preexisting strides
  if (resized) {
    if (!strides.empty()) {
      TORCH_INTERNAL_ASSERT(!options.memory_format_opt().has_value());
      // TODO: avoid the redispatch here
      out.as_strided_(sizes, strides);
    } else if (options.memory_format_opt().has_value()) {
      out.unsafeGetTensorImpl()->empty_tensor_restride(*options.memory_format_opt());
    }
  }
}
)text";

constexpr std::string_view kCheckInplaceHelper = R"text(
void check_inplace(const Tensor &self, IntArrayRef sizes, const TensorOptions &options) {
  // These checks are needed on those operators that:
  //   1) don't use 'TensorIterator' (e.g. 'addmm' and 'baddbmm')
  //   2) have particular typing rules (e.g. 'cumsum' and 'cumprod')
  // For other operators (e.g. 'add'), 'TensorIterator' already checks
  // these things separately.
  TORCH_CHECK(options.dtype() == self.dtype(),
      "Bad in-place call: ",
      "input tensor dtype ", self.dtype(), " and output tensor dtype ", options.dtype(), " should match");
  TORCH_CHECK(options.device() == self.device(),
      "Bad in-place call: ",
      "input tensor device ", self.device(), " and output tensor device ", options.device(), " should match");
  TORCH_CHECK(sizes == self.sizes(),
      "Bad in-place call: ",
      "input tensor size ", self.sizes(), " and output tensor size ", sizes, " should match");
}
)text";

}  // namespace

std::vector<std::string> gen_registration_headers(
    const model::BackendIndex& backend_index,
    bool per_operator_headers,
    bool rocm) {
  std::vector<std::string> headers;
  headers.emplace_back(per_operator_headers
                           ? "#include <ATen/ops/as_strided_native.h>"
                           : "#include <ATen/NativeFunctions.h>");
  switch (backend_index.dispatch_key) {
    case DispatchKey::kCPU:
    case DispatchKey::kMeta:
      headers.emplace_back("#include <ATen/EmptyTensor.h>");
      break;
    case DispatchKey::kCUDA:
      headers.emplace_back(rocm ? "#include <ATen/hip/EmptyTensor.h>"
                                : "#include <ATen/cuda/EmptyTensor.h>");
      break;
    case DispatchKey::kMPS:
      headers.emplace_back("#include <ATen/mps/EmptyTensor.h>");
      break;
    case DispatchKey::kXPU:
      headers.emplace_back("#include <ATen/xpu/EmptyTensor.h>");
      break;
    case DispatchKey::kMTIA:
      headers.emplace_back("#include <ATen/native/mtia/EmptyTensor.h>");
      break;
    default:
      if (per_operator_headers) {
        headers.emplace_back("#include <ATen/ops/empty.h>");
        headers.emplace_back("#include <ATen/ops/empty_strided.h>");
        headers.emplace_back("#include <ATen/ops/_copy_from_and_resize.h>");
        headers.emplace_back("#include <ATen/ops/_copy_from.h>");
      } else {
        headers.emplace_back("#include <ATen/Functions.h>");
      }
  }
  headers.emplace_back("#include <c10/macros/Macros.h>");
  return headers;
}

std::vector<std::string> gen_registration_helpers(
    const model::BackendIndex& backend_index) {
  const DispatchKey key = backend_index.dispatch_key;
  const EmptyImplNames names = gen_empty_impl_names(key);
  std::vector<std::string> helpers;
  helpers.emplace_back(
      "C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(\"-Wunused-function\")");
  if (!names.empty.empty()) {
    helpers.push_back(gen_create_out_helper(names, key));
  }
  if (key != DispatchKey::kCompositeExplicitAutogradNonFunctional) {
    helpers.emplace_back(kResizeOutHelper);
  }
  helpers.emplace_back(kCheckInplaceHelper);
  if (!names.empty.empty()) {
    helpers.push_back(gen_maybe_create_proxy_helper(names));
  }
  helpers.emplace_back("C10_DIAGNOSTIC_POP()");
  return helpers;
}

}  // namespace opgen::emit
