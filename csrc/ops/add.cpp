// torch.add through InfiniOps: same dtype, same device, alpha == 1,
// implementation index 0. Everything else goes to the host provider.
#include <initializer_list>
#include <stdexcept>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "csrc/bridge/ops_table.h"
#include "csrc/memory/device_allocator.h"
#include "csrc/ops/alpha.h"
#include "csrc/ops/binary_plan.h"
#include "csrc/ops/host_alias.h"
#include "csrc/ops/host_call.h"
#include "csrc/ops/host_operator_table.h"
#include "csrc/ops/host_provider.h"
#include "csrc/ops/native.h"
#include "csrc/ops/provider_counts.h"
#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"
#include "csrc/runtime/stream.h"

namespace torch_infini {
namespace {

ProviderCount infiniops_calls("aten::add.Tensor", "infiniops");

// InfiniOps' CPU kernels run on the host, other backends' on the device.
bool reaches_memory() {
  return backend().type != rt::Device::Type::kCpu ||
         backend().can(infini_extension::kHostAccess);
}

bool infiniops_serves(const at::Tensor& self,
                      const at::Tensor& other,
                      const at::Scalar& alpha) {
  const auto dtype = infini_dtype(self.scalar_type());
  return dtype.has_value() && self.dtype() == other.dtype() &&
         self.device() == other.device() && is_one(alpha) && self.numel() > 0 &&
         other.numel() > 0 &&
         !self.unsafeGetTensorImpl()->is_wrapped_number() &&
         ops_table().add != nullptr && add_is_exact(*dtype) && reaches_memory();
}

using AddWrapper = at::Tensor(c10::OperatorKernel*,
                              c10::DispatchKeySet,
                              const at::Tensor&,
                              const at::Tensor&,
                              const at::Scalar&);

AddWrapper* find_wrapper() {
  if (!backend().can(infini_extension::kHostAccess)) {
    return nullptr;
  }
  const HostKernel found = host_wrapper("aten::add", "Tensor");
  TORCH_INTERNAL_ASSERT(
      found.signature ==
      host_kernel_of(static_cast<AddWrapper*>(nullptr)).signature);
  return reinterpret_cast<AddWrapper*>(found.function);
}

at::Tensor add_on_host(const at::Tensor& self,
                       const at::Tensor& other,
                       const at::Scalar& alpha) {
  static AddWrapper* const wrapper = find_wrapper();
  if (wrapper != nullptr) {
    return wrapper(
        nullptr, c10::DispatchKeySet(kDispatchKey), self, other, alpha);
  }
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor");
  torch::jit::Stack stack{self, other, alpha};
  host_kernel(op, &stack);
  return stack.back().toTensor();
}

void call_infiniops(const BinaryPlan& plan, c10::DeviceIndex index) {
  infini::ops::Handle handle;
  handle.set_stream(reinterpret_cast<void*>(current_native_stream(index)));
  if (backend().type == rt::Device::Type::kCpu) {
    wait_for_current_stream(index);
  }
  const infini::ops::Config config;
  try {
    ops_table().add(handle, config, plan.self, plan.other, plan.out);
  } catch (const std::invalid_argument& error) {
    TORCH_CHECK(false,
                "InfiniOps Add failed on infini:",
                static_cast<int>(index),
                ": ",
                error.what());
  }
}

void keep_until_done(std::initializer_list<at::Tensor> tensors) {
  for (const at::Tensor& tensor : tensors) {
    record_use(tensor.storage().data_ptr(),
               current_stream(tensor.device().index()));
  }
}

at::Tensor add(const at::Tensor& self,
               const at::Tensor& other,
               const at::Scalar& alpha) {
  if (!infiniops_serves(self, other, alpha)) {
    return add_on_host(self, other, alpha);
  }
  check_has_memory(self);
  check_has_memory(other);
  const ScopedDevice guard(self.device().index());
  BinaryPlan& plan = binary_plan(self, other);
  at::Tensor out =
      at::detail::empty_strided_generic(plan.sizes,
                                        plan.strides,
                                        &device_allocator(),
                                        c10::DispatchKeySet(kDispatchKey),
                                        self.scalar_type());
  plan.self.data() = const_cast<void*>(self.const_data_ptr());
  plan.other.data() = const_cast<void*>(other.const_data_ptr());
  plan.out.data() = out.mutable_data_ptr();
  call_infiniops(plan, self.device().index());
  if (!backend().can(infini_extension::kInlineStreams)) {
    keep_until_done({self, other, out});
  }
  infiniops_calls.add();
  return out;
}

}  // namespace

void register_add(torch::Library& library) {
  library.impl("add.Tensor", &add);
}

}  // namespace torch_infini
