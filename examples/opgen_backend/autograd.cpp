// Derivatives of the backend's own operators. Those of PyTorch's need nothing.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include "generated/PrivateUse1NativeFunctions.h"

namespace demo {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class Signature>
auto find(const char* name) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name, "")
      .template typed<Signature>();
}

class Swish : public torch::autograd::Function<Swish> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x) {
    static const auto op = find<Tensor(const Tensor&)>("demo::swish");
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    context->save_for_backward({x});
    return op.call(x);
  }

  static variable_list backward(AutogradContext* context,
                                const variable_list& grads) {
    static const auto op =
        find<Tensor(const Tensor&, const Tensor&)>("demo::swish_backward");
    return {op.call(grads[0], context->get_saved_variables()[0])};
  }
};

}  // namespace

Tensor Kernels::swish_autograd(const Tensor& x) {
  return Swish::apply(x);
}

}  // namespace demo
