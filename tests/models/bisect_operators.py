"""Finds the operators whose results on infini are not the CPU's.

    python -m tests.models.bisect_operators whisper [--attention sdpa] [--steps 2]

Every operator that a training step, an evaluation and a generation reach runs once
more on copies of its arguments on the CPU. The first differences are printed, with
shapes, strides and the greatest distance.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map, tree_map_only

from tests.models import lockstep, zoo

# Their values are whatever memory held, or are drawn from a generator.
UNDETERMINED = ("empty", "rand", "multinomial", "bernoulli", "dropout", "normal_")


class CompareOperators(TorchDispatchMode):
    """Runs each operator on both devices and calls `report(text)` on a difference."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__()
        self.report = report
        self.calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None) -> Any:
        kwargs = kwargs or {}
        if any(word in func.name() for word in UNDETERMINED):
            return func(*args, **kwargs)
        on_cpu = tree_map(_to_cpu, (args, kwargs))
        result = func(*args, **kwargs)
        self.calls += 1
        try:
            expected = func(*on_cpu[0], **on_cpu[1])
        except Exception as error:
            self.report(f"{func.name()}: the CPU raises {error}")
            return result
        pairs = zip(tree_leaves(expected), tree_leaves(result), strict=True)
        for number, (want, got) in enumerate(pairs):
            if isinstance(want, Tensor):
                difference = _difference(want, got)
                if difference:
                    shapes = tree_map_only(Tensor, _layout, args)
                    self.report(
                        f"{func.name()} result {number}: {difference}\n  of {shapes}"
                    )
        return result


def _to_cpu(value: object) -> object:
    """A copy with the same strides."""
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "infini" else value
    if not isinstance(value, Tensor) or value.device.type != "infini":
        return value
    value = value.detach().resolve_conj().resolve_neg()
    steps = zip(value.shape, value.stride(), strict=True)
    span = 1 + sum((size - 1) * stride for size, stride in steps)
    flat = value.as_strided((span if value.numel() else 0,), (1,)).cpu()
    return flat.as_strided(value.shape, value.stride())


def _layout(tensor: Tensor) -> str:
    return f"{str(tensor.dtype)[6:]}{list(tensor.shape)}/{list(tensor.stride())}"


def _difference(want: Tensor, got: Tensor) -> str | None:
    if _layout(want) != _layout(got):
        return f"{_layout(got)} for {_layout(want)}"
    copy = got.detach().cpu()
    if lockstep.same_bits(want, copy):
        return None
    distance = (want.double() - copy.double()).abs().max().item()
    return f"{_layout(want)} differs by up to {distance:g}"


def main() -> int:
    """Compare the operators of one model; the status is 1 if any differed."""
    import torch_infini  # noqa: F401

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=list(zoo.BUILDERS))
    parser.add_argument("--attention", choices=["eager", "sdpa"], default="eager")
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--limit", type=int, default=10, help="differences to print")
    arguments = parser.parse_args()
    found: list[str] = []
    model = zoo.build(arguments.model, attention=arguments.attention)
    with CompareOperators(found.append) as mode:
        lockstep.run(model, "infini", arguments.steps)
    print("\n".join(found[: arguments.limit]))
    print(f"{mode.calls} calls compared, {len(found)} results differ")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
