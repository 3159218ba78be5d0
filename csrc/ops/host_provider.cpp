#include "csrc/ops/host_provider.h"

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include <ATen/core/List.h>
#include <c10/util/Exception.h>

#include "csrc/bridge/random.h"
#include "csrc/ops/fallback.h"
#include "csrc/ops/host_call.h"
#include "csrc/ops/host_operator.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {
namespace {

using c10::IValue;
using torch::jit::Stack;

// Calls visit(tensor) for each defined tensor in a value.
template <class Visit>
void for_each_tensor(const IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) {
      visit(value.toTensor());
    }
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) {
      for_each_tensor(element, visit);
    }
  }
}

// One call of a CPU kernel on aliases of the arguments.
class BoxedCall {
 public:
  BoxedCall(const c10::OperatorHandle& op, HostOperator& info, Stack& stack)
      : op_(op),
        info_(info),
        stack_(stack),
        first_(stack.size() - op.schema().arguments().size()),
        device_(find_device()),
        call_(op, /*below_autograd=*/!info.schema.has_value()) {}

  void run() {
    check_devices();
    call_.enter(device_);
    to_host();
    call();
    call_.finish();
    to_device();
    info_.calls.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  // The device of the first infini tensor, else of a device argument, else the
  // current one.
  c10::DeviceIndex find_device() const {
    std::optional<c10::DeviceIndex> found;
    for (std::size_t i = first_; i < stack_.size() && !found; ++i) {
      for_each_tensor(stack_[i], [&](const at::Tensor& tensor) {
        if (!found && tensor.device().type() == kDeviceType) {
          found = tensor.device().index();
        }
      });
    }
    for (std::size_t i = first_; i < stack_.size() && !found; ++i) {
      if (stack_[i].isDevice() && stack_[i].toDevice().type() == kDeviceType) {
        found = resolve_device(stack_[i].toDevice());
      }
    }
    return found.value_or(current_device());
  }

  void check_devices() const {
    const c10::Device expected(kDeviceType, device_);
    for (std::size_t i = first_; i < stack_.size(); ++i) {
      for_each_tensor(stack_[i], [&](const at::Tensor& tensor) {
        const c10::Device device = tensor.device();
        const std::size_t position = i - first_;
        const bool fits = device == expected ||
                          (device.is_cpu() &&
                           ((tensor.dim() == 0 && !info_.writes[position]) ||
                            std::cmp_equal(position, info_.host_argument)));
        TORCH_CHECK(fits,
                    "Expected all tensors to be on the same device, but found "
                    "at least two "
                    "devices, ",
                    expected,
                    " and ",
                    device,
                    "! (when checking argument '",
                    op_.schema().arguments()[position].name(),
                    "' in ",
                    info_.name,
                    ")");
      });
    }
  }

  IValue host_list(const IValue& value) {
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      list.reserve(value.toListRef().size());
      for (const IValue& element : value.toListRef()) {
        list.push_back(host_tensor(element.toTensor()));
      }
      return list;
    }
    const auto source = value.toList();
    const c10::impl::GenericList list(source.elementType());
    list.reserve(source.size());
    for (const IValue& element : value.toListRef()) {
      list.push_back(host_value(element));
    }
    return list;
  }

  at::Tensor host_tensor(const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.device().type() != kDeviceType) {
      return tensor;
    }
    return call_.alias_on_device(tensor, info_.is_mutable, !info_.is_view);
  }

  IValue host_value(const IValue& value) {
    if (value.isTensor()) {
      return host_tensor(value.toTensor());
    }
    if (value.isIntList() || value.isDoubleList() || value.isBoolList()) {
      return value;
    }
    if (value.isList()) {
      return value.isTensorList() || !value.toListRef().empty()
                 ? host_list(value)
                 : value;
    }
    if (value.isStorage() && value.toStorage().device_type() == kDeviceType) {
      return call_.alias(value.toStorage());
    }
    if (value.isDevice() && value.toDevice().type() == kDeviceType) {
      return c10::Device(c10::DeviceType::CPU);
    }
    return value;
  }

  IValue host_generator(const IValue& value) const {
    TORCH_CHECK(value.isNone(),
                "Expected a 'infini' device type for generator but found '",
                value.isNone() ? c10::Device(kDeviceType)
                               : value.toGenerator().device(),
                "'");
    return device_generator(device_);
  }

  // The original arguments stay alive until the call is over: the stack may
  // hold the only reference to a tensor.
  void to_host() {
    for (std::size_t i = first_; i < stack_.size(); ++i) {
      const bool is_generator =
          std::cmp_equal(i - first_, info_.generator_argument);
      IValue host =
          is_generator ? host_generator(stack_[i]) : host_value(stack_[i]);
      originals_.push_back(std::exchange(stack_[i], std::move(host)));
    }
  }

  void call() {
    std::optional<DefaultGeneratorSwap> swap;
    if (info_.draws_unasked) {
      swap.emplace(device_);
    }
    op_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack_);
  }

  IValue device_value(IValue value) {
    if (value.isTensor()) {
      at::Tensor result = std::move(value).toTensor();
      call_.convert(result);
      return result;
    }
    if (value.isTensorList()) {
      c10::List<at::Tensor> list = std::move(value).toTensorList();
      for (std::size_t i = 0; i < list.size(); ++i) {
        at::Tensor result = list.extract(i);
        call_.convert(result);
        list.set(i, std::move(result));
      }
      return list;
    }
    return value;
  }

  void to_device() {
    const std::size_t first_result =
        stack_.size() - op_.schema().returns().size();
    for (std::size_t i = first_result; i < stack_.size(); ++i) {
      for_each_tensor(
          stack_[i], [&](const at::Tensor& result) { call_.announce(result); });
    }
    for (std::size_t i = first_result; i < stack_.size(); ++i) {
      stack_[i] = device_value(std::move(stack_[i]));
    }
  }

  const c10::OperatorHandle& op_;
  HostOperator& info_;
  Stack& stack_;
  std::size_t first_;
  c10::DeviceIndex device_;
  HostCall call_;
  c10::SmallVector<IValue, 8> originals_;
};

}  // namespace

void host_kernel(const c10::OperatorHandle& op, Stack* stack) {
  ensure_device_count();
  HostOperator& info = host_operator(op);
  TORCH_CHECK_NOT_IMPLEMENTED(
      info.has_cpu_kernel,
      "Could not run '",
      info.name,
      "' on infini: PyTorch has no CPU kernel for it that the host "
      "provider could run, and no other provider serves it.");
  if (backend().can(infini_extension::kHostAccess) || info.is_view) {
    BoxedCall(op, info, *stack).run();
  } else {
    copying_fallback(op, info, stack);
  }
}

void unsupported_layout_kernel(const c10::OperatorHandle& op,
                               c10::DispatchKeySet keys,
                               Stack* /*stack*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false,
      "Could not run '",
      c10::toString(op.operator_name()),
      "' on infini with dispatch key ",
      keys.highestPriorityTypeId(),
      ": infini has strided tensors only, no sparse, quantized or nested "
      "ones. Convert to a strided tensor first, or compute on the CPU.");
}

}  // namespace torch_infini
