"""Convolutions of every rank, forward and backward, take the CPU's way."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

CASES = {
    "plain": {},
    "stride_padding": {"stride": 2, "padding": 1},
    "dilation": {"dilation": 2, "padding": 2},
    "groups": {"groups": 2},
    "depthwise": {"groups": 4},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("transposed", [False, True], ids=["direct", "transposed"])
def test_convolution(agree, rank, case, transposed):
    options = CASES[case]
    generator = torch.Generator().manual_seed(0)
    groups = options.get("groups", 1)
    kernel = (3,) * rank
    shape = (4, 4 // groups, *kernel)
    x = torch.randn(2, 4, *(6,) * rank, generator=generator).requires_grad_()
    weight = torch.randn(shape, generator=generator).requires_grad_()
    bias = torch.randn(4, generator=generator).requires_grad_()
    name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    function = getattr(F, name)
    agree(lambda *inputs: function(*inputs, **options), x, weight, bias)


def test_without_bias_and_batch(agree):
    agree(F.conv2d, torch.rand(3, 5, 5), torch.rand(2, 3, 3, 3).requires_grad_())


def test_channels_last_layout_is_kept(agree):
    x = torch.rand(2, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    agree(F.conv2d, x, torch.rand(4, 3, 3, 3))


def test_double_backward(agree):
    def function(x, weight):
        y = F.conv2d(x, weight).square().sum()
        (gradient,) = torch.autograd.grad(y, weight, create_graph=True)
        return gradient.square().sum()

    x = torch.rand(1, 2, 4, 4).requires_grad_()
    agree(function, x, torch.rand(2, 2, 3, 3).requires_grad_())


@pytest.mark.parametrize("padding", ["same", "valid"])
def test_named_padding(agree, padding):
    agree(
        lambda x, w: F.conv2d(x, w, padding=padding),
        torch.rand(1, 2, 5, 5),
        torch.rand(2, 2, 3, 3),
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64])
def test_other_dtypes(agree, dtype):
    x = torch.randn(1, 2, 5, 5).to(dtype)
    agree(F.conv2d, x, torch.randn(3, 2, 3, 3).to(dtype))


def test_empty_batch(agree):
    agree(F.conv2d, torch.rand(0, 2, 5, 5), torch.rand(3, 2, 3, 3))


def test_wrong_channels(device):
    with pytest.raises(RuntimeError, match="expected input"):
        F.conv2d(
            torch.rand(1, 3, 4, 4, device=device), torch.rand(1, 2, 2, 2, device=device)
        )


def test_small_network(agree):
    """Convolution, batch norm and pooling in one graph."""
    layers = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
    )
    names = [name for name, _ in layers.named_parameters()]
    buffers = dict(layers.named_buffers())

    def function(x, *parameters):
        state = {k: v.detach().clone().to(x.device) for k, v in buffers.items()}
        state |= dict(zip(names, parameters, strict=True))
        return torch.func.functional_call(layers, state, x)

    x = torch.rand(3, 1, 6, 6).requires_grad_()
    agree(function, x, *[p.detach().requires_grad_() for p in layers.parameters()])
