#include "csrc/ops/recurrent_layers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mkldnn_rnn_layer.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

// Note [Recurrent layers]
// PyTorch's composite kernels ask for the device: on the CPU a layer multiplies
// the inputs of all steps at once, and an LSTM runs in oneDNN where it can; on
// any other device each step is a fused cell. Sums then come in another order.
// So that results are the CPU's bit for bit, the layers are written again here.
namespace torch_infini {
namespace {

using at::Tensor;
using at::TensorList;
using Weights = RecurrentWeights;
using State = RecurrentState;
using Cell = RecurrentCell;
using Options = RecurrentOptions;
using Outcome = RecurrentOutcome;

std::optional<Tensor> optional(const Tensor& tensor) {
  return tensor.defined() ? std::optional<Tensor>(tensor) : std::nullopt;
}

// A layer over sequences of one length, (steps, batch, features).
struct Sequences {
  Cell cell;

  Outcome operator()(const Tensor& input,
                     State state,
                     const Weights& weights,
                     bool backwards) const {
    std::vector<Tensor> steps = weights.of_input(input).unbind(0);
    TORCH_CHECK(!steps.empty(),
                "Expected sequence length to be larger than 0 in RNN");
    if (backwards) {
      std::reverse(steps.begin(), steps.end());
    }
    for (Tensor& step : steps) {
      state = cell(step, state, weights);
      step = state[0];
    }
    if (backwards) {
      std::reverse(steps.begin(), steps.end());
    }
    return {at::stack(steps, 0), std::move(state)};
  }
};

// A layer over packed sequences: the rows of all steps one after the other, and
// how many each step has, never more than the step before.
struct PackedSequences {
  Cell cell;
  const std::int64_t* rows;
  std::int64_t steps;

  Outcome operator()(const Tensor& input,
                     const State& state,
                     const Weights& weights,
                     bool backwards) const {
    const Tensor gates = weights.of_input(input);
    return backwards ? from_the_end(gates, state, weights)
                     : from_the_start(gates, state, weights);
  }

 private:
  static State narrow(const State& state,
                      std::int64_t first,
                      std::int64_t end) {
    State rows;
    for (const Tensor& part : state) {
      rows.push_back(part.narrow(0, first, end - first));
    }
    return rows;
  }

  static State concatenate(const std::vector<State>& states) {
    State whole;
    for (std::size_t part = 0; part < states.front().size(); ++part) {
      std::vector<Tensor> rows;
      rows.reserve(states.size());
      for (const State& state : states) {
        rows.push_back(state[part]);
      }
      whole.push_back(at::cat(rows, 0));
    }
    return whole;
  }

  // Sequences that end leave their state behind.
  Outcome from_the_start(const Tensor& gates,
                         State state,
                         const Weights& weights) const {
    std::vector<Tensor> outputs;
    std::vector<State> ended;
    std::int64_t offset = 0;
    std::int64_t before = rows[0];
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t now = rows[step];
      if (now < before) {
        ended.push_back(narrow(state, now, before));
        state = narrow(state, 0, now);
      }
      state = cell(gates.narrow(0, offset, now), state, weights);
      outputs.push_back(state[0]);
      offset += now;
      before = now;
    }
    ended.push_back(std::move(state));
    std::reverse(ended.begin(), ended.end());
    return {at::cat(outputs, 0), concatenate(ended)};
  }

  // Sequences join in with their first state where they end.
  Outcome from_the_end(const Tensor& gates,
                       const State& first,
                       const Weights& weights) const {
    std::vector<Tensor> outputs;
    std::int64_t offset = gates.size(0);
    std::int64_t before = rows[steps - 1];
    State state = narrow(first, 0, before);
    for (std::int64_t step = steps - 1; step >= 0; --step) {
      const std::int64_t now = rows[step];
      if (now > before) {
        state = concatenate({state, narrow(first, before, now)});
      }
      offset -= now;
      state = cell(gates.narrow(0, offset, now), state, weights);
      outputs.push_back(state[0]);
      before = now;
    }
    std::reverse(outputs.begin(), outputs.end());
    return {at::cat(outputs, 0), std::move(state)};
  }
};

// A layer of an LSTM in oneDNN, which reads memory as if there were no gaps.
struct OneDnnLstm {
  std::int64_t layers;
  bool has_biases;
  bool both_ways;
  bool batch_first;
  bool train;

  Outcome operator()(const Tensor& input,
                     const State& state,
                     const Weights& w,
                     bool backwards) const {
    constexpr std::int64_t kLstm = 2;
    const auto bias = [](const Tensor& given, const Tensor& weight) {
      return given.defined() ? given
                             : at::zeros(weight.sizes(), weight.options());
    };
    auto [output, hidden, cell, workspace] =
        at::mkldnn_rnn_layer(input,
                             w.input,
                             w.hidden,
                             bias(w.input_bias, w.input),
                             bias(w.hidden_bias, w.hidden),
                             state[0].contiguous(),
                             state[1].contiguous(),
                             backwards,
                             /*batch_sizes=*/{},
                             kLstm,
                             state[0].size(-1),
                             layers,
                             has_biases,
                             both_ways,
                             batch_first,
                             train);
    return {output, {std::move(hidden), std::move(cell)}};
  }
};

// Runs all layers; the state is stacked again at the end.
template <class Layer>
Outcome run_layers(const Layer& layer,
                   Tensor input,
                   const std::vector<State>& states,
                   const std::vector<Weights>& weights,
                   const Options& options) {
  const std::size_t directions = options.both_ways ? 2 : 1;
  std::vector<std::vector<Tensor>> last(states.front().size());
  const auto layers = static_cast<std::size_t>(options.layers);
  for (std::size_t number = 0; number < layers; ++number) {
    std::vector<Tensor> outputs;
    for (std::size_t way = 0; way < directions; ++way) {
      const std::size_t index = number * directions + way;
      auto [output, state] =
          layer(input, states[index], weights[index], way == 1);
      outputs.push_back(std::move(output));
      for (std::size_t part = 0; part < state.size(); ++part) {
        last[part].push_back(std::move(state[part]));
      }
    }
    input = directions == 1 ? outputs[0] : at::cat(outputs, -1);
    if (options.dropout != 0 && options.train && number + 1 < layers) {
      input = at::dropout(input, options.dropout, /*train=*/true);
    }
  }
  State stacked;
  stacked.reserve(last.size());
  for (const std::vector<Tensor>& part : last) {
    stacked.push_back(at::stack(part, 0));
  }
  return {std::move(input), std::move(stacked)};
}

std::vector<Weights> gather_weights(const RecurrentArguments& arguments) {
  const TensorList params = arguments.params;
  const std::size_t each = 2 + (arguments.has_biases ? 2U : 0U) +
                           (arguments.has_projection ? 1U : 0U);
  TORCH_CHECK(params.size() % each == 0,
              "got an incorrect number of RNN parameters");
  std::vector<Weights> weights;
  for (std::size_t i = 0; i < params.size(); i += each) {
    Weights w{params[i], params[i + 1], {}, {}, {}};
    if (arguments.has_biases) {
      w.input_bias = params[i + 2];
      w.hidden_bias = params[i + 3];
    }
    if (arguments.has_projection) {
      w.projection = params[i + each - 1];
    }
    weights.push_back(std::move(w));
  }
  return weights;
}

// Splits (layers * directions, batch, features) of each part.
std::vector<State> split_states(TensorList parts) {
  std::vector<State> states;
  for (const Tensor& part : parts) {
    const std::vector<Tensor> layers = part.unbind(0);
    states.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      states[i].push_back(layers[i]);
    }
  }
  return states;
}

void check_device(const Tensor& input, TensorList others, const char* what) {
  for (const Tensor& other : others) {
    TORCH_CHECK(other.device() == input.device(),
                "Input and ",
                what,
                " tensors are not at the same device, found input tensor at ",
                input.device(),
                " and ",
                what,
                " tensor at ",
                other.device());
  }
}

void check(const Tensor& input,
           const RecurrentArguments& arguments,
           const std::vector<State>& states,
           const std::vector<Weights>& weights) {
  check_device(input, arguments.state, "hidden");
  check_device(input, arguments.params, "parameter");
  const std::size_t expected =
      static_cast<std::size_t>(arguments.options.layers) *
      (arguments.options.both_ways ? 2U : 1U);
  TORCH_CHECK(arguments.options.layers > 0 && weights.size() == expected &&
                  states.size() == expected,
              "Expected parameters and hidden states of ",
              expected,
              " layers and directions on ",
              input.device(),
              ", got ",
              weights.size(),
              " and ",
              states.size());
}

RecurrentOutcome run_checked(const auto& layer,
                             const Tensor& input,
                             const RecurrentArguments& arguments) {
  const std::vector<State> states = split_states(arguments.state);
  const std::vector<Weights> weights = gather_weights(arguments);
  check(input, arguments, states, weights);
  return run_layers(layer, input, states, weights, arguments.options);
}

}  // namespace

Tensor RecurrentWeights::of_input(const Tensor& x) const {
  return at::linear(x, input, optional(input_bias));
}

Tensor RecurrentWeights::of_hidden(const Tensor& h) const {
  return at::linear(h, hidden, optional(hidden_bias));
}

RecurrentOutcome run_sequences(RecurrentCell cell,
                               const Tensor& input,
                               bool batch_first,
                               const RecurrentArguments& arguments) {
  Outcome outcome = run_checked(
      Sequences{cell}, batch_first ? input.transpose(0, 1) : input, arguments);
  if (batch_first) {
    outcome.first.transpose_(0, 1);
  }
  return outcome;
}

RecurrentOutcome run_packed(RecurrentCell cell,
                            const Tensor& data,
                            const Tensor& batch_sizes,
                            const RecurrentArguments& arguments) {
  TORCH_CHECK(batch_sizes.device().is_cpu() && batch_sizes.dim() == 1 &&
                  batch_sizes.scalar_type() == at::kLong &&
                  batch_sizes.numel() > 0,
              "Expected batch_sizes as int64 of one dimension on the CPU, got ",
              batch_sizes.scalar_type(),
              " of ",
              batch_sizes.dim(),
              " dimensions on ",
              batch_sizes.device());
  const Tensor sizes = batch_sizes.contiguous();
  const PackedSequences layer{
      cell, sizes.const_data_ptr<std::int64_t>(), sizes.numel()};
  return run_checked(layer, data, arguments);
}

RecurrentOutcome run_in_onednn(const Tensor& input,
                               bool batch_first,
                               const RecurrentArguments& arguments) {
  const OneDnnLstm layer{arguments.options.layers,
                         arguments.has_biases,
                         arguments.options.both_ways,
                         batch_first,
                         arguments.options.train};
  const Tensor steps = batch_first ? input.transpose(0, 1) : input;
  Outcome outcome = run_checked(layer, steps.contiguous(), arguments);
  if (batch_first) {
    outcome.first = outcome.first.transpose(0, 1);
  }
  return outcome;
}

}  // namespace torch_infini
