"""The cases that `make bench` times: what runs on infini, and the same on the CPU.

A case makes its inputs once per device and returns a function without arguments.
`target` is the largest ratio infini / CPU that the project accepts, None for a row
that informs only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from bench.operator_cases import operator_cases

Function = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """One row of the table."""

    group: str
    name: str
    make: Callable[[str], Function]
    target: float | None = None
    bytes_moved: int = 0  # for a bandwidth column


def _add(make_inputs: Callable[[str], tuple[torch.Tensor, torch.Tensor]]) -> Callable:
    def make(device: str) -> Function:
        left, right = make_inputs(device)
        return lambda: torch.add(left, right)

    return make


def _vectors(count: int, dtype: torch.dtype) -> Callable:
    def inputs(device: str) -> tuple[torch.Tensor, torch.Tensor]:
        value = torch.arange(count).remainder(7).to(dtype).to(device)
        return value, value.clone()

    return inputs


def _matrices(
    left: Callable[[torch.Tensor], torch.Tensor],
    right: Callable[[torch.Tensor], torch.Tensor],
    size: int = 1024,
) -> Callable:
    def inputs(device: str) -> tuple[torch.Tensor, torch.Tensor]:
        base = torch.rand(size, size).to(device)
        return left(base), right(base.clone())

    return inputs


def additions() -> Iterator[Case]:
    """Yield torch.add over sizes, dtypes and layouts."""

    def case(name: str, inputs: Callable) -> Case:
        return Case("add", name, _add(inputs), target=1.2)

    for label, count in (("1", 1), ("1K", 1 << 10), ("1M", 1 << 20), ("16M", 1 << 24)):
        yield case(f"{label} float32", _vectors(count, torch.float32))
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64):
        yield case(f"1M {str(dtype)[6:]}", _vectors(1 << 20, dtype))
    yield case("(32,32) + (32,)", _matrices(lambda x: x, lambda x: x[0], size=32))
    yield case("(1024,1024) + (1024,)", _matrices(lambda x: x, lambda x: x[0]))
    yield case("(1024,1024) + (1024,1)", _matrices(lambda x: x, lambda x: x[:, :1]))
    yield case("transposed + contiguous", _matrices(lambda x: x.t(), lambda x: x))
    yield case("transposed + transposed", _matrices(lambda x: x.t(), lambda x: x.t()))
    every_other = _matrices(lambda x: x[:, ::2], lambda x: x[:, ::2])
    yield case("[:, ::2] + [:, ::2]", every_other)


def matrix_products() -> Iterator[Case]:
    """Yield torch.mm of square float32 matrices."""

    def make(size: int) -> Callable[[str], Function]:
        def on(device: str) -> Function:
            left, right = torch.rand(size, size), torch.rand(size, size)
            left, right = left.to(device), right.to(device)
            return lambda: torch.mm(left, right)

        return on

    for size in (512, 1024):
        yield Case("mm", f"sgemm {size}", make(size), target=1.1)


def _copy(
    count: int, source: str, target: str, *, pinned: bool, early: bool
) -> Callable:
    def place(device: str, side: str, value: torch.Tensor) -> torch.Tensor:
        if side == "device" and device != "cpu":
            return value.to(device)
        return value.pin_memory(device) if pinned and device != "cpu" else value

    def make(device: str) -> Function:
        src = place(device, source, torch.ones(count))
        dst = place(device, target, torch.zeros(count))
        return lambda: dst.copy_(src, non_blocking=early)

    return make


def copies() -> Iterator[Case]:
    """Yield copies between host and device, against a CPU copy of the same size."""
    kinds = [
        ("H2D pageable", "host", "device", False, False),
        ("D2H pageable", "device", "host", False, False),
        ("H2D pinned", "host", "device", True, False),
        ("D2H pinned", "device", "host", True, False),
        ("H2D pinned non_blocking", "host", "device", True, True),
        ("D2D", "device", "device", False, False),
    ]
    for kind, source, target, pinned, early in kinds:
        for label, count in (("4 KB", 1 << 10), ("1 MB", 1 << 18), ("64 MB", 1 << 24)):
            make = _copy(count, source, target, pinned=pinned, early=early)
            yield Case(
                "copy", f"{kind} {label}", make, target=1 / 0.9, bytes_moved=4 * count
            )


def small_things() -> Iterator[Case]:
    """Yield operations whose cost is all overhead; for information."""

    def unary(function: Callable[[torch.Tensor], object]) -> Callable[[str], Function]:
        def make(device: str) -> Function:
            value = torch.rand(8, 8).to(device)
            return lambda: function(value)

        return make

    yield Case("small", "empty(1024)", lambda d: lambda: torch.empty(1024, device=d))
    yield Case("small", "empty_like", unary(torch.empty_like))
    yield Case("small", "view", unary(lambda x: x.view(64)))
    yield Case("small", "mul (8,8)", unary(lambda x: torch.mul(x, x)))
    yield Case("small", "sum (8,8)", unary(torch.sum))
    yield Case("small", "item", unary(lambda x: x[0, 0].item()))


def calls() -> Iterator[Case]:
    """Yield common operators at one element: what a call costs."""

    def make(name: str) -> Callable[[str], Function]:
        return lambda device: operator_cases(device)[name]

    for name in operator_cases("cpu"):
        yield Case("call", name, make(name), target=1.1)


def _sweep(
    function: Callable[[torch.Tensor, torch.Tensor], object],
    layout: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]],
    count: int,
    dtype: torch.dtype,
) -> Callable[[str], Function]:
    def make(device: str) -> Function:
        base = torch.arange(count).remainder(5).add(1).to(dtype).view(-1, 32)
        left, right = layout(base.to(device))
        return lambda: function(left, right)

    return make


def sizes() -> Iterator[Case]:
    """Yield operators over sizes, dtypes and layouts."""
    functions = {
        "mul": torch.mul,
        "where": lambda x, y: torch.where(x > y, x, y),
        "sum": lambda x, y: torch.sum(x, 1),
        "cat": lambda x, y: torch.cat([x, y.expand_as(x)]),
    }
    layouts = {
        "": lambda x: (x, x.clone()),
        "broadcast": lambda x: (x, x[0]),
        "strided": lambda x: (x.t().contiguous().t(), x),
    }
    labels = {"1K": 1 << 10, "64K": 1 << 16, "1M": 1 << 20, "16M": 1 << 24}
    for name, function in functions.items():
        for label, count in labels.items():
            make = _sweep(function, layouts[""], count, torch.float32)
            yield Case("size", f"{name} {label}", make, target=1.1)
        for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64):
            make = _sweep(function, layouts[""], 1 << 20, dtype)
            yield Case("size", f"{name} 1M {str(dtype)[6:]}", make, target=1.1)
        for layout in ("broadcast", "strided"):
            make = _sweep(function, layouts[layout], 1 << 20, torch.float32)
            yield Case("size", f"{name} 1M {layout}", make, target=1.1)


def all_cases() -> list[Case]:
    """Return every case in the order of the table."""
    return [
        *additions(),
        *matrix_products(),
        *copies(),
        *small_things(),
        *calls(),
        *sizes(),
    ]
