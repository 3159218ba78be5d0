// The host provider: PyTorch's own CPU kernel on the device's memory, in stream
// order.
//
// One boxed kernel serves every operator that has a CPU kernel. It is the
// device's implementation of these operators, not a fallback: nothing is
// copied, and results are bit-identical to the CPU's. Where the host cannot
// address device memory it declines, and csrc/ops/fallback.h decides.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace torch_infini {

// The boxed kernel of the PrivateUse1 backend.
void host_kernel(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// For sparse, quantized and nested tensors: raises NotImplementedError that
// names the operator.
void unsupported_layout_kernel(const c10::OperatorHandle& op,
                               c10::DispatchKeySet keys,
                               torch::jit::Stack* stack);

}  // namespace torch_infini
