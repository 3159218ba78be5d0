"""Sixty common operators at one element, the same for every device."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F


def operator_cases(device: str) -> dict[str, Callable[[], object]]:
    """Return a call of each operator with tensors on `device`, by name."""
    generator = torch.Generator().manual_seed(0)

    def random(*shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=generator).to(device)

    x, y, v = random(1), random(1), random(1)
    m, m2, b3 = random(1, 1), random(1, 1), random(1, 1, 1)
    i = torch.zeros(1, dtype=torch.long).to(device)
    b = random(1) > 0.5
    o = torch.empty(1).to(device)
    return {
        "add": lambda: torch.add(x, y),
        "sub": lambda: torch.sub(x, y),
        "mul": lambda: torch.mul(x, y),
        "div": lambda: torch.div(x, y),
        "add scalar": lambda: x + 1,
        "mul scalar": lambda: x * 2.0,
        "pow scalar": lambda: x**2,
        "neg": lambda: torch.neg(x),
        "abs": lambda: torch.abs(x),
        "exp": lambda: torch.exp(x),
        "log": lambda: torch.log(x),
        "sqrt": lambda: torch.sqrt(x),
        "rsqrt": lambda: torch.rsqrt(x),
        "sin": lambda: torch.sin(x),
        "tanh": lambda: torch.tanh(x),
        "sigmoid": lambda: torch.sigmoid(x),
        "relu": lambda: torch.relu(x),
        "gelu": lambda: F.gelu(x),
        "silu": lambda: F.silu(x),
        "clamp": lambda: torch.clamp(x, 0, 1),
        "maximum": lambda: torch.maximum(x, y),
        "eq": lambda: torch.eq(x, y),
        "gt": lambda: torch.gt(x, y),
        "lt scalar": lambda: x < 0.5,
        "logical_and": lambda: torch.logical_and(b, b),
        "where": lambda: torch.where(b, x, y),
        "masked_fill": lambda: x.masked_fill(b, 0.0),
        "add_": lambda: x.add_(0),
        "mul_": lambda: x.mul_(1.0),
        "add out": lambda: torch.add(x, y, out=o),
        "addcmul": lambda: torch.addcmul(x, y, y),
        "lerp": lambda: torch.lerp(x, y, 0.5),
        "sum": lambda: torch.sum(x),
        "sum dim": lambda: torch.sum(m, 1),
        "mean": lambda: torch.mean(x),
        "max": lambda: torch.max(x),
        "max dim": lambda: torch.max(m, 1),
        "argmax": lambda: torch.argmax(m, 1),
        "cumsum": lambda: torch.cumsum(x, 0),
        "norm": lambda: torch.linalg.vector_norm(x),
        "var": lambda: torch.var(m, 1, correction=0),
        "softmax": lambda: torch.softmax(m, 1),
        "log_softmax": lambda: torch.log_softmax(m, 1),
        "layer_norm": lambda: F.layer_norm(m, (1,)),
        "mm": lambda: torch.mm(m, m2),
        "bmm": lambda: torch.bmm(b3, b3),
        "addmm": lambda: torch.addmm(v, m, m2),
        "linear": lambda: F.linear(m, m2, v),
        "cat": lambda: torch.cat([x, y]),
        "stack": lambda: torch.stack([x, y]),
        "index_select": lambda: torch.index_select(x, 0, i),
        "gather": lambda: torch.gather(x, 0, i),
        "index": lambda: x[i],
        "embedding": lambda: F.embedding(i, m),
        "copy_": lambda: o.copy_(x),
        "clone": lambda: x.clone(),
        "fill_": lambda: o.fill_(1.0),
        "zero_": lambda: o.zero_(),
        "item": lambda: x.item(),
        "empty": lambda: torch.empty(1, device=device),
        "view": lambda: x.view(1, 1),
        "empty_like": lambda: torch.empty_like(x),
        "topk": lambda: torch.topk(x, 1),
        "sort": lambda: torch.sort(x),
    }
