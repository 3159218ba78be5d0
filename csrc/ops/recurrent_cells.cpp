// The fused cells, for whoever calls them by name: the layers and cells of
// recurrent_operators.cpp do without. No CPU kernel exists for them, so they
// are made of differentiable operators and autograd needs no formula.
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/core/TensorBody.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>

#include "csrc/ops/native.h"

namespace torch_infini {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

at::Tensor with_bias(const at::Tensor& gates, const OptionalTensor& bias) {
  return bias.has_value() && bias->defined() ? gates + *bias : gates;
}

// Only a fused kernel's backward reads it, and there is none.
at::Tensor no_workspace(const at::Tensor& like) {
  return at::empty({0}, like.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell(
    const at::Tensor& input_gates,
    const at::Tensor& hidden_gates,
    const at::Tensor& cx,
    const OptionalTensor& input_bias,
    const OptionalTensor& hidden_bias) {
  const at::Tensor gates =
      with_bias(hidden_gates, hidden_bias) + with_bias(input_gates, input_bias);
  const std::vector<at::Tensor> chunks = gates.unsafe_chunk(4, 1);
  const at::Tensor in = chunks[0].sigmoid();
  const at::Tensor forget = chunks[1].sigmoid();
  const at::Tensor cell = chunks[2].tanh();
  const at::Tensor out = chunks[3].sigmoid();
  at::Tensor cy = forget * cx + in * cell;
  at::Tensor hy = out * cy.tanh();
  return {std::move(hy), std::move(cy), no_workspace(cx)};
}

std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor& input_gates,
                                            const at::Tensor& hidden_gates,
                                            const at::Tensor& hx,
                                            const OptionalTensor& input_bias,
                                            const OptionalTensor& hidden_bias) {
  const std::vector<at::Tensor> in =
      with_bias(input_gates, input_bias).unsafe_chunk(3, 1);
  const std::vector<at::Tensor> hidden =
      with_bias(hidden_gates, hidden_bias).unsafe_chunk(3, 1);
  const at::Tensor reset = (hidden[0] + in[0]).sigmoid();
  const at::Tensor update = (hidden[1] + in[1]).sigmoid();
  const at::Tensor candidate = (in[2] + hidden[2] * reset).tanh();
  return {(hx - candidate) * update + candidate, no_workspace(hx)};
}

}  // namespace

void register_recurrent_cells(torch::Library& library) {
  library.impl("_thnn_fused_lstm_cell", &lstm_cell);
  library.impl("_thnn_fused_gru_cell", &gru_cell);
  // Above autograd too, so that gradients flow through the operators they are
  // made of.
  auto& autograd = new_library("aten", c10::DispatchKey::AutogradPrivateUse1);
  autograd.impl("_thnn_fused_lstm_cell", &lstm_cell);
  autograd.impl("_thnn_fused_gru_cell", &gru_cell);
}

}  // namespace torch_infini
