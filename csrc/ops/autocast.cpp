// torch.autocast("infini").
//
// Note [Boxed autocast]
// PyTorch's macros for autocast make a kernel and a boxed adaptor of each of
// the hundred operators, and their header includes all of ATen: more memory
// and time to compile than the rest of the extension. Here one boxed kernel
// serves all operators of a list; what it adds to a call is small beside the
// casts. The functions that keep autocast's state are declared again for the
// same reason; a change of theirs fails to link.
#include <cstddef>
#include <optional>
#include <utility>

#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/norm.h>
#include <c10/util/Exception.h>

#include "csrc/ops/autocast_lists.h"
#include "csrc/ops/native.h"
#include "csrc/runtime/device.h"

namespace at::autocast {

TORCH_API ScalarType get_autocast_dtype(DeviceType device_type);
TORCH_API Tensor cached_cast(ScalarType to_type,
                             const Tensor& arg,
                             DeviceType device_type);

}  // namespace at::autocast

namespace torch_infini {
namespace {

using at::ScalarType;
using at::Tensor;
using c10::IValue;
using c10::OperatorHandle;
using torch::jit::Stack;

constexpr c10::DispatchKey kAutocast = c10::DispatchKey::AutocastPrivateUse1;

// Autocast is off while it lives.
class Below {
 private:
  c10::impl::ExcludeDispatchKeyGuard guard_{kAutocast};
};

ScalarType lower_precision() {
  return at::autocast::get_autocast_dtype(kDeviceType);
}

// Autocast leaves integers, float64 and other devices' tensors alone.
bool is_cast(const Tensor& tensor) {
  return tensor.defined() && tensor.is_privateuseone() &&
         tensor.is_floating_point() && tensor.scalar_type() != at::kDouble;
}

bool is_cast(const IValue& value) {
  return value.isTensor() && is_cast(value.toTensor());
}

Tensor cast(ScalarType dtype, const Tensor& tensor) {
  return at::autocast::cached_cast(dtype, tensor, kDeviceType);
}

IValue cast(ScalarType dtype, IValue value) {
  if (is_cast(value)) {
    return cast(dtype, value.toTensor());
  }
  if (!value.isTensorList()) {
    return value;
  }
  c10::List<Tensor> list;
  list.reserve(value.toListRef().size());
  for (const IValue& element : value.toListRef()) {
    list.push_back(cast(dtype, element.toTensor()));
  }
  return list;
}

std::size_t first_argument(const OperatorHandle& op, const Stack& stack) {
  return stack.size() - op.schema().arguments().size();
}

void call_with(ScalarType dtype, const OperatorHandle& op, Stack& stack) {
  for (std::size_t i = first_argument(op, stack); i < stack.size(); ++i) {
    stack[i] = cast(dtype, std::move(stack[i]));
  }
  op.callBoxed(stack);
}

void lower_precision_kernel(const OperatorHandle& op, Stack* stack) {
  const Below below;
  call_with(lower_precision(), op, *stack);
}

void float32_kernel(const OperatorHandle& op, Stack* stack) {
  const Below below;
  call_with(at::kFloat, op, *stack);
}

void float32_output_kernel(const OperatorHandle& op, Stack* stack) {
  const Below below;
  const auto& arguments = op.schema().arguments();
  const std::size_t first = first_argument(op, *stack);
  if (is_cast((*stack)[first])) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      IValue& value = (*stack)[first + i];
      if (value.isNone() && arguments[i].name() == "dtype") {
        value = at::kFloat;
      }
    }
  }
  op.callBoxed(*stack);
}

// Optional tensors are cast but have no say, as in PyTorch.
ScalarType widest(const OperatorHandle& op, const Stack& stack) {
  const auto& arguments = op.schema().arguments();
  const std::size_t first = first_argument(op, stack);
  const ScalarType lower = lower_precision();
  ScalarType found = lower;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const IValue& value = stack[first + i];
    if (arguments[i].type()->kind() != c10::TypeKind::TensorType ||
        !is_cast(value)) {
      continue;
    }
    const ScalarType dtype = value.toTensor().scalar_type();
    TORCH_CHECK(dtype == at::kFloat || dtype == lower,
                op.operator_name(),
                " in torch.autocast(\"infini\", dtype=",
                lower,
                ") takes arguments of ",
                lower,
                " and Float, but '",
                arguments[i].name(),
                "' is ",
                dtype,
                ". Convert it with .to() first.");
    found = dtype == at::kFloat ? dtype : found;
  }
  return found;
}

void promoting_kernel(const OperatorHandle& op, Stack* stack) {
  const Below below;
  call_with(widest(op, *stack), op, *stack);
}

void refusing_kernel(const OperatorHandle& /*op*/, Stack* /*stack*/) {
  TORCH_CHECK(
      false,
      "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are "
      "unsafe to autocast on infini: probabilities in ",
      lower_precision(),
      " round to 0 and 1, where the loss is infinite. Leave out the sigmoid "
      "before it and use binary_cross_entropy_with_logits or "
      "torch.nn.BCEWithLogitsLoss, which are safe, or compute it on float32 "
      "tensors in a region of torch.autocast(\"infini\", enabled=False).");
}

ScalarType norm_dtype(const Tensor& self) {
  return is_cast(self) ? at::kFloat : self.scalar_type();
}

Tensor norm(const Tensor& self, const at::Scalar& p) {
  const Below below;
  return at::norm(self, p, norm_dtype(self));
}

Tensor norm_of_dimensions(const Tensor& self,
                          const std::optional<at::Scalar>& p,
                          at::IntArrayRef dim,
                          bool keepdim) {
  const Below below;
  return at::norm(self, p, dim, keepdim, norm_dtype(self));
}

template <auto Kernel, class Names>
void register_all(torch::Library& library, const Names& names) {
  for (const char* name : names) {
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<Kernel>());
  }
}

}  // namespace

void register_autocast() {
  new_library("_", kAutocast).fallback(torch::CppFunction::makeFallthrough());
  torch::Library& aten = new_library("aten", kAutocast);
  register_all<&lower_precision_kernel>(aten, autocast::kLowerPrecision);
  register_all<&float32_kernel>(aten, autocast::kFloat32);
  register_all<&float32_output_kernel>(aten, autocast::kFloat32Output);
  register_all<&promoting_kernel>(aten, autocast::kPromoted);
  aten.impl("norm.Scalar", &norm);
  aten.impl("norm.ScalarOpt_dim", &norm_of_dimensions);
  aten.impl("binary_cross_entropy",
            torch::CppFunction::makeFromBoxedFunction<&refusing_kernel>());
}

}  // namespace torch_infini
