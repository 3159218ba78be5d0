"""Agreement with the CPU, bit for bit, for every operator test."""

import pytest
import torch
from torch.utils._pytree import tree_flatten, tree_map


def to_twin(value, device):
    """A leaf on the device with the same values, layout and requires_grad."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().to(device).requires_grad_(value.requires_grad)


def bits(tensor):
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    return torch.view_as_real(tensor) if tensor.dtype.is_complex else tensor


def assert_same(got, expected, device):
    """Device, dtype, shape, strides and every bit (any NaN equals any NaN)."""
    assert got.device.type == torch.device(device).type
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert got.stride() == expected.stride()
    a, b = bits(got), bits(expected)
    torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
    if a.dtype.is_floating_point:
        assert torch.equal(a.signbit() & ~a.isnan(), b.signbit() & ~b.isnan())


def run(function, inputs, seed):
    torch.manual_seed(seed)
    results = function(*inputs)
    leaves = [x for x in tree_flatten(results)[0] if isinstance(x, torch.Tensor)]
    wanting = [x for x in tree_flatten(inputs)[0] if isinstance(x, torch.Tensor)]
    wanting = [x for x in wanting if x.requires_grad]
    if not wanting:
        return results, leaves, []
    outputs = [x for x in leaves if x.requires_grad]
    weights = [torch.full_like(x, 0.5) for x in outputs]
    return results, leaves, torch.autograd.grad(outputs, wanting, weights)


@pytest.fixture
def agree(device):
    """agree(function, *inputs) compares results, gradients and inputs afterwards.

    Returns the device's result. Inputs are CPU tensors, or anything else as it is.
    """

    def check(function, *inputs, seed=0):
        theirs = tree_map(lambda x: to_twin(x, "cpu"), list(inputs))
        ours = tree_map(lambda x: to_twin(x, device), list(inputs))
        _, expected, expected_gradients = run(function, theirs, seed)
        results, got, gradients = run(function, ours, seed)
        pairs = list(zip(got, expected, strict=True))
        pairs += zip(gradients, expected_gradients, strict=True)
        pairs += [
            (a, b)
            for a, b in zip(tree_flatten(ours)[0], tree_flatten(theirs)[0], strict=True)
            if isinstance(a, torch.Tensor)
        ]
        for a, b in pairs:
            assert_same(a, b, device)
        return results

    return check


@pytest.fixture
def same(device):
    """same(got, expected): assert_same for a device tensor and a CPU tensor."""
    return lambda got, expected: assert_same(got, expected, device)
