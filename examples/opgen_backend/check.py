"""Runs the backend of this folder and compares its results with the CPU's.

TORCH_DEVICE_BACKEND_AUTOLOAD=0 python check.py build/libopgen_backend_example.so
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import torch
from torch import Tensor

DEVICE = "demo"


def equal(f: Callable[..., Tensor], *inputs: Tensor) -> None:
    """Check that `f` gives on the device, to the bit, what it gives on the CPU."""
    expected = f(*(x.clone() for x in inputs))
    found = f(*(x.to(DEVICE) for x in inputs))
    assert found.device.type == DEVICE, found.device
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    assert torch.equal(found.cpu(), expected), (found.cpu(), expected)


def refused(error: type[Exception], text: str, f: Callable[[], object]) -> None:
    """Check that `f` raises an error that holds the text."""
    message = ""
    try:
        f()
    except error as caught:
        message = str(caught)
    assert text in message, message or f"no error, expected: {text}"


def memory() -> None:
    """Copies, views, and what has the device in its name."""
    x = torch.arange(24.0).reshape(2, 3, 4)
    equal(lambda a: a, x)
    equal(lambda a: a[:, 1:, ::2], x)
    equal(lambda a: a.transpose(0, 2).contiguous(), x)
    equal(lambda a: a.view(6, 4), x)
    equal(lambda a: torch.full_like(a, 2.5), x)
    assert torch.empty(2, 3, device=DEVICE).shape == (2, 3)
    assert x.to(DEVICE).sum().item() == 276.0


def structured() -> None:
    """Kernels whose shapes, types and variants are PyTorch's."""
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    equal(lambda a, b: a + b, x, y)
    equal(lambda a, b: torch.add(a, b, alpha=3), x, y[0])
    equal(lambda a, b: a.add_(b), x, y)
    equal(lambda a, b: torch.mul(a, b, out=a.new_empty(0)), x, y)
    equal(lambda a, b: a - b.to(torch.int64), x, y)
    equal(lambda a: 2 * a - 1, x)
    equal(lambda a: -a, x)
    equal(lambda a, b: a @ b.t(), x, y)
    equal(lambda a: a.sum(1, keepdim=True), x)
    equal(lambda a: a.sum(), x)
    here, there = x.to(DEVICE), y.t()
    refused(RuntimeError, "same device", lambda: here @ there)
    refused(RuntimeError, "cannot be multiplied", lambda: here @ here)


def unstructured() -> None:
    """A kernel of the functional variant, which serves the others too."""
    x = torch.randn(5)
    equal(torch.abs, x)
    equal(lambda a: a.abs_(), x)
    equal(lambda a: torch.abs(a, out=torch.empty_like(a)), x)


def own_operator() -> None:
    """An operator that PyTorch does not have, with its derivative."""
    swish = torch.ops.demo.swish
    x = torch.randn(4, 5, dtype=torch.float64)
    here = x.to(DEVICE).requires_grad_()
    there = x.clone().requires_grad_()
    found, expected = swish(here), torch.nn.functional.silu(there)
    torch.testing.assert_close(found.cpu(), expected)
    (found * found).sum().backward()
    (expected * expected).sum().backward()
    torch.testing.assert_close(here.grad.cpu(), there.grad)
    assert swish(torch.empty(2, 3, device="meta")).shape == (2, 3)


def train(device: str, swish: Callable[[Tensor], Tensor]) -> list[float]:
    """Fit a small network and return the losses."""
    source = torch.Generator().manual_seed(0)
    sizes = ((16, 4), (16, 1), (4, 8), (8, 1))
    tensors = [torch.randn(size, generator=source).to(device) for size in sizes]
    x, y, *weights = tensors
    for weight in weights:
        weight.requires_grad_()
    losses = []
    for _ in range(5):
        error = swish(x @ weights[0]) @ weights[1] - y
        loss = (error * error).sum() * (1 / 16)
        loss.backward()
        with torch.no_grad():
            for weight in weights:
                weight -= weight.grad * 0.05
                weight.grad = None
        losses.append(loss.item())
    return losses


def training() -> None:
    """Autograd through the backend's kernels."""
    found = train(DEVICE, torch.ops.demo.swish)
    expected = train("cpu", torch.nn.functional.silu)
    torch.testing.assert_close(found, expected)
    assert found[-1] < found[0], found


def main() -> None:
    """Load the backend and run every check."""
    torch.manual_seed(0)
    torch.ops.load_library(sys.argv[1])
    torch.utils.rename_privateuse1_backend(DEVICE)
    torch._register_device_module(DEVICE, ModuleType(f"torch.{DEVICE}"))
    checks = (memory, structured, unstructured, own_operator, training)
    for check in checks:
        check()
        print(f"{check.__name__}: ok")
    print(f"{len(checks)} checks passed")


if __name__ == "__main__":
    main()
