// The layers of nn.LSTM, nn.GRU and nn.RNN, in the order in which PyTorch
// computes them on the CPU. See Note [Recurrent layers].
//
// All are made of differentiable operators and may be called above autograd.
// They run on the current stream of the tensors' device. Errors are c10::Error.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/core/TensorBody.h>

namespace torch_infini {

// The parameters of one layer in one direction; what is absent is undefined.
struct RecurrentWeights {
  at::Tensor input;
  at::Tensor hidden;
  at::Tensor input_bias;
  at::Tensor hidden_bias;
  at::Tensor projection;

  at::Tensor of_input(const at::Tensor& x) const;
  at::Tensor of_hidden(const at::Tensor& h) const;
};

// The hidden state and, of an LSTM, the cell state behind it.
using RecurrentState = std::vector<at::Tensor>;

// One step, whose input has been through RecurrentWeights::of_input.
using RecurrentCell = RecurrentState (*)(const at::Tensor& input,
                                         const RecurrentState& state,
                                         const RecurrentWeights& weights);

struct RecurrentOptions {
  std::int64_t layers;
  double dropout;
  bool train;
  bool both_ways;
};

// What a user gave: each part of the state is (layers * directions, batch,
// features), the parameters are those of all layers one after the other.
struct RecurrentArguments {
  at::TensorList state;
  at::TensorList params;
  bool has_biases;
  bool has_projection;
  RecurrentOptions options;
};

// All outputs of the last layer, and the last state of each layer.
using RecurrentOutcome = std::pair<at::Tensor, RecurrentState>;

// `input` is (steps, batch, features), or (batch, steps, features).
RecurrentOutcome run_sequences(RecurrentCell cell,
                               const at::Tensor& input,
                               bool batch_first,
                               const RecurrentArguments& arguments);

// `data` holds the rows of all steps one after the other; `batch_sizes`, int64
// on the CPU, tells how many each step has.
RecurrentOutcome run_packed(RecurrentCell cell,
                            const at::Tensor& data,
                            const at::Tensor& batch_sizes,
                            const RecurrentArguments& arguments);

// An LSTM in oneDNN; without projections.
RecurrentOutcome run_in_onednn(const at::Tensor& input,
                               bool batch_first,
                               const RecurrentArguments& arguments);

}  // namespace torch_infini
