// lstm, gru, rnn_tanh, rnn_relu and the cells of the first two. See
// Note [Recurrent layers].
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <c10/util/Exception.h>

#include "csrc/ops/native.h"
#include "csrc/ops/recurrent_layers.h"

namespace torch_infini {
namespace {

using at::Tensor;
using at::TensorList;
using OptionalTensor = std::optional<Tensor>;
using Weights = RecurrentWeights;
using State = RecurrentState;
using One = std::tuple<Tensor, Tensor>;
using Two = std::tuple<Tensor, Tensor, Tensor>;

State tanh_step(const Tensor& input, const State& state, const Weights& w) {
  return {w.of_hidden(state[0]).add_(input).tanh()};
}

State relu_step(const Tensor& input, const State& state, const Weights& w) {
  return {w.of_hidden(state[0]).add_(input).relu()};
}

State gru_step(const Tensor& input, const State& state, const Weights& w) {
  const std::vector<Tensor> in = input.unsafe_chunk(3, 1);
  const std::vector<Tensor> hidden = w.of_hidden(state[0]).unsafe_chunk(3, 1);
  const Tensor reset = hidden[0].add_(in[0]).sigmoid_();
  const Tensor update = hidden[1].add_(in[1]).sigmoid_();
  const Tensor candidate = in[2].add(hidden[2].mul_(reset)).tanh_();
  return {(state[0] - candidate).mul_(update).add_(candidate)};
}

State lstm_step(const Tensor& input, const State& state, const Weights& w) {
  const std::vector<Tensor> gates =
      w.of_hidden(state[0]).add_(input).unsafe_chunk(4, 1);
  const Tensor in = gates[0].sigmoid_();
  const Tensor forget = gates[1].sigmoid_();
  const Tensor candidate = gates[2].tanh_();
  const Tensor out = gates[3].sigmoid_();
  Tensor cell = (forget * state[1]).add_(in * candidate);
  Tensor hidden = out * cell.tanh();
  if (w.projection.defined()) {
    hidden = at::matmul(hidden, w.projection.t());
  }
  return {std::move(hidden), std::move(cell)};
}

One one(RecurrentOutcome outcome) {
  return {std::move(outcome.first), std::move(outcome.second[0])};
}

Two two(RecurrentOutcome outcome) {
  return {std::move(outcome.first),
          std::move(outcome.second[0]),
          std::move(outcome.second[1])};
}

template <RecurrentCell kCell>
One sequences(const Tensor& input,
              const Tensor& hx,
              TensorList params,
              bool has_biases,
              std::int64_t num_layers,
              double dropout,
              bool train,
              bool bidirectional,
              bool batch_first) {
  return one(run_sequences(kCell,
                           input,
                           batch_first,
                           {hx,
                            params,
                            has_biases,
                            /*has_projection=*/false,
                            {num_layers, dropout, train, bidirectional}}));
}

template <RecurrentCell kCell>
One packed(const Tensor& data,
           const Tensor& batch_sizes,
           const Tensor& hx,
           TensorList params,
           bool has_biases,
           std::int64_t num_layers,
           double dropout,
           bool train,
           bool bidirectional) {
  return one(run_packed(kCell,
                        data,
                        batch_sizes,
                        {hx,
                         params,
                         has_biases,
                         /*has_projection=*/false,
                         {num_layers, dropout, train, bidirectional}}));
}

// Whether oneDNN computes `type` on this processor, as PyTorch asks for it.
bool onednn_has(const char* question) {
  const auto op = c10::Dispatcher::singleton().findSchema({question, ""});
  if (!op.has_value()) {
    return false;
  }
  torch::jit::Stack stack;
  op->callBoxed(&stack);
  return stack.back().toBool();
}

bool runs_in_onednn(const Tensor& input) {
  if (!at::globalContext().userEnabledMkldnn() || input.sym_numel() == 0) {
    return false;
  }
  static const bool has_bfloat16 =
      onednn_has("mkldnn::_is_mkldnn_bf16_supported");
  static const bool has_half = onednn_has("mkldnn::_is_mkldnn_fp16_supported");
  const at::ScalarType type = input.scalar_type();
  return type == at::kFloat || (type == at::kBFloat16 && has_bfloat16) ||
         (type == at::kHalf && has_half && !at::GradMode::is_enabled());
}

bool has_projection(TensorList hx) {
  TORCH_CHECK(hx.size() == 2, "lstm expects two hidden states");
  return hx[0].dim() == 3 && hx[1].dim() == 3 &&
         hx[0].sym_size(2) != hx[1].sym_size(2);
}

Two lstm(const Tensor& input,
         TensorList hx,
         TensorList params,
         bool has_biases,
         std::int64_t num_layers,
         double dropout,
         bool train,
         bool bidirectional,
         bool batch_first) {
  const RecurrentArguments arguments{
      hx,
      params,
      has_biases,
      has_projection(hx),
      {num_layers, dropout, train, bidirectional}};
  if (runs_in_onednn(input)) {
    if (!arguments.has_projection) {
      return two(run_in_onednn(input, batch_first, arguments));
    }
    TORCH_WARN_ONCE(
        "LSTM with projections is not supported with oneDNN. Using default "
        "implementation.");
  }
  return two(run_sequences(&lstm_step, input, batch_first, arguments));
}

Two packed_lstm(const Tensor& data,
                const Tensor& batch_sizes,
                TensorList hx,
                TensorList params,
                bool has_biases,
                std::int64_t num_layers,
                double dropout,
                bool train,
                bool bidirectional) {
  return two(run_packed(&lstm_step,
                        data,
                        batch_sizes,
                        {hx,
                         params,
                         has_biases,
                         has_projection(hx),
                         {num_layers, dropout, train, bidirectional}}));
}

Weights cell_weights(const Tensor& w_ih,
                     const Tensor& w_hh,
                     const OptionalTensor& b_ih,
                     const OptionalTensor& b_hh) {
  return {
      w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), Tensor()};
}

void check_cell(const Tensor& input, TensorList hx, const Weights& weights) {
  TORCH_CHECK(input.sym_size(1) == weights.input.sym_size(1),
              "input has inconsistent input_size: got ",
              input.sym_size(1),
              " expected ",
              weights.input.sym_size(1));
  for (std::size_t i = 0; i < hx.size(); ++i) {
    TORCH_CHECK(input.sym_size(0) == hx[i].sym_size(0),
                "Input batch size ",
                input.sym_size(0),
                " doesn't match hidden",
                i,
                " batch size ",
                hx[i].sym_size(0));
    TORCH_CHECK(hx[i].sym_size(1) == weights.hidden.sym_size(1),
                "hidden",
                i,
                " has inconsistent hidden_size: got ",
                hx[i].sym_size(1),
                ", expected ",
                weights.hidden.sym_size(1));
  }
}

One lstm_cell(const Tensor& input,
              TensorList hx,
              const Tensor& w_ih,
              const Tensor& w_hh,
              const OptionalTensor& b_ih,
              const OptionalTensor& b_hh) {
  TORCH_CHECK(hx.size() == 2, "lstm_cell expects two hidden states");
  const Weights weights = cell_weights(w_ih, w_hh, b_ih, b_hh);
  check_cell(input, hx, weights);
  State state = lstm_step(weights.of_input(input), {hx[0], hx[1]}, weights);
  return {std::move(state[0]), std::move(state[1])};
}

Tensor gru_cell(const Tensor& input,
                const Tensor& hx,
                const Tensor& w_ih,
                const Tensor& w_hh,
                const OptionalTensor& b_ih,
                const OptionalTensor& b_hh) {
  const Weights weights = cell_weights(w_ih, w_hh, b_ih, b_hh);
  check_cell(input, hx, weights);
  return gru_step(weights.of_input(input), {hx}, weights)[0];
}

void register_for(torch::Library& library) {
  library.impl("lstm.input", &lstm);
  library.impl("lstm.data", &packed_lstm);
  library.impl("gru.input", &sequences<&gru_step>);
  library.impl("gru.data", &packed<&gru_step>);
  library.impl("rnn_tanh.input", &sequences<&tanh_step>);
  library.impl("rnn_tanh.data", &packed<&tanh_step>);
  library.impl("rnn_relu.input", &sequences<&relu_step>);
  library.impl("rnn_relu.data", &packed<&relu_step>);
  library.impl("lstm_cell", &lstm_cell);
  library.impl("gru_cell", &gru_cell);
}

}  // namespace

void register_recurrent_layers(torch::Library& library) {
  register_for(library);
  // Above autograd too, so that gradients flow through the operators they are
  // made of.
  register_for(new_library("aten", c10::DispatchKey::AutogradPrivateUse1));
}

}  // namespace torch_infini
