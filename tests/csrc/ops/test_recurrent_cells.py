"""LSTM, GRU and RNN train on the device and stay close to the CPU.

The CPU's LSTM may run in oneDNN; the device's cells are made of operators, so values
agree to rounding, not bit for bit.
"""

import pytest
import torch
from torch import nn


def outcome(module, inputs, device):
    module = module.to(device)
    inputs = [x.detach().clone().to(device).requires_grad_() for x in inputs]
    output, hidden = module(
        inputs[0], *([tuple(inputs[1:])] if len(inputs) > 2 else inputs[1:])
    )
    hidden = hidden if isinstance(hidden, tuple) else (hidden,)
    (output.square().sum() + sum(h.sum() for h in hidden)).backward()
    results = [
        output,
        *hidden,
        *(x.grad for x in inputs),
        *(p.grad for p in module.parameters()),
    ]
    assert all(r.device.type == device for r in results)
    return [r.detach().cpu() for r in results]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias": False},
        {"num_layers": 2},
        {"bidirectional": True},
        {"batch_first": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_layer(device, kind, options):
    def make():
        torch.manual_seed(3)
        module = getattr(nn, kind)(5, 7, **options)
        layers = options.get("num_layers", 1) * (
            2 if options.get("bidirectional") else 1
        )
        x = torch.randn(4, 3, 5)
        batch = 4 if options.get("batch_first") else 3
        states = [
            torch.randn(layers, batch, 7) for _ in range(2 if kind == "LSTM" else 1)
        ]
        return module, [x, *states]

    for got, expected in zip(
        outcome(*make(), device), outcome(*make(), "cpu"), strict=True
    ):
        torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell", "RNNCell"])
def test_cell(device, kind):
    torch.manual_seed(0)
    cell = getattr(nn, kind)(3, 4)
    x = torch.randn(2, 3)
    expected = cell(x)
    got = cell.to(device)(x.to(device))
    for a, b in zip(got, expected, strict=True):
        assert a.device.type == device
        torch.testing.assert_close(a.cpu(), b)


@pytest.mark.parametrize("lengths_on", ["cpu", "list"])
def test_packed_sequences(device, lengths_on):
    torch.manual_seed(0)
    module = nn.GRU(3, 4)
    x = torch.randn(5, 2, 3)
    lengths = [5, 3] if lengths_on == "list" else torch.tensor([5, 3])

    def function(where):
        packed = nn.utils.rnn.pack_padded_sequence(x.to(where), lengths)
        output, _ = module.to(where)(packed)
        return nn.utils.rnn.pad_packed_sequence(output)

    expected, expected_lengths = function("cpu")
    got, got_lengths = function(device)
    assert got.device.type == device
    assert got_lengths.tolist() == expected_lengths.tolist()
    torch.testing.assert_close(got.cpu(), expected)


def test_second_derivative_of_a_cell(device):
    torch.manual_seed(0)
    cell = nn.GRUCell(2, 2).double().to(device)
    x = torch.randn(3, 2, dtype=torch.double, device=device, requires_grad=True)
    assert torch.autograd.gradgradcheck(cell, (x,))
