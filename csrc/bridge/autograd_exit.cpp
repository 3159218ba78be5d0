#include "csrc/bridge/autograd_exit.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <c10/core/Device.h>

#include "csrc/runtime/backend.h"
#include "csrc/runtime/device.h"

namespace torch_infini {

// Note [Autograd at exit]
// backward() returns when the gradients are there. The device's thread of the
// autograd engine then still frees the nodes and tensors of its last task,
// which takes the GIL for each that Python knows. If the interpreter has begun
// to end by then, CPython ends that thread by unwinding it, and a destructor on
// its stack turns this into std::terminate: a program whose last statement is
// backward() aborts. The thread frees a task before it takes the next, so one
// more backward pass without any Python object waits for it.
void finish_autograd() noexcept {
  if (!is_initialized() || in_bad_fork()) {
    return;
  }
  try {
    const at::AutoGradMode enabled(true);
    for (c10::DeviceIndex index = 0; index < device_count(); ++index) {
      const auto options =
          at::TensorOptions().device(c10::Device(kDeviceType, index));
      const at::Tensor x = at::ones({1}, options).set_requires_grad(true);
      x.mul(x).backward();
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): the process ends anyway
  }
}

}  // namespace torch_infini
