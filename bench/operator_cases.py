"""Sixty-four common operators at one element, the same for every device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

Calls = dict[str, Callable[[], object]]


@dataclass
class Tensors:
    """What the operators are called with."""

    x: torch.Tensor
    y: torch.Tensor
    vector: torch.Tensor
    matrix: torch.Tensor
    matrix2: torch.Tensor
    batch: torch.Tensor
    index: torch.Tensor
    mask: torch.Tensor
    out: torch.Tensor


def _tensors(device: str) -> Tensors:
    generator = torch.Generator().manual_seed(0)

    def random(*shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=generator).to(device)

    return Tensors(
        x=random(1),
        y=random(1),
        vector=random(1),
        matrix=random(1, 1),
        matrix2=random(1, 1),
        batch=random(1, 1, 1),
        index=torch.zeros(1, dtype=torch.long).to(device),
        mask=random(1) > 0.5,
        out=random(1),
    )


def _elementwise(t: Tensors) -> Calls:
    return {
        "add": lambda: torch.add(t.x, t.y),
        "sub": lambda: torch.sub(t.x, t.y),
        "mul": lambda: torch.mul(t.x, t.y),
        "div": lambda: torch.div(t.x, t.y),
        "add scalar": lambda: t.x + 1,
        "mul scalar": lambda: t.x * 2.0,
        "pow scalar": lambda: t.x**2,
        "neg": lambda: torch.neg(t.x),
        "abs": lambda: torch.abs(t.x),
        "exp": lambda: torch.exp(t.x),
        "log": lambda: torch.log(t.x),
        "sqrt": lambda: torch.sqrt(t.x),
        "rsqrt": lambda: torch.rsqrt(t.x),
        "sin": lambda: torch.sin(t.x),
        "tanh": lambda: torch.tanh(t.x),
        "sigmoid": lambda: torch.sigmoid(t.x),
        "relu": lambda: torch.relu(t.x),
        "gelu": lambda: F.gelu(t.x),
        "silu": lambda: F.silu(t.x),
        "clamp": lambda: torch.clamp(t.x, 0, 1),
        "maximum": lambda: torch.maximum(t.x, t.y),
        "eq": lambda: torch.eq(t.x, t.y),
        "gt": lambda: torch.gt(t.x, t.y),
        "lt scalar": lambda: t.x < 0.5,
        "logical_and": lambda: torch.logical_and(t.mask, t.mask),
        "where": lambda: torch.where(t.mask, t.x, t.y),
        "masked_fill": lambda: t.x.masked_fill(t.mask, 0.0),
        "add_": lambda: t.x.add_(0),
        "mul_": lambda: t.x.mul_(1.0),
        "add out": lambda: torch.add(t.x, t.y, out=t.out),
        "addcmul": lambda: torch.addcmul(t.x, t.y, t.y),
        "lerp": lambda: torch.lerp(t.x, t.y, 0.5),
    }


def _reductions(t: Tensors) -> Calls:
    return {
        "sum": lambda: torch.sum(t.x),
        "sum dim": lambda: torch.sum(t.matrix, 1),
        "mean": lambda: torch.mean(t.x),
        "max": lambda: torch.max(t.x),
        "max dim": lambda: torch.max(t.matrix, 1),
        "argmax": lambda: torch.argmax(t.matrix, 1),
        "cumsum": lambda: torch.cumsum(t.x, 0),
        "norm": lambda: torch.linalg.vector_norm(t.x),
        "var": lambda: torch.var(t.matrix, 1, correction=0),
        "softmax": lambda: torch.softmax(t.matrix, 1),
        "log_softmax": lambda: torch.log_softmax(t.matrix, 1),
        "layer_norm": lambda: F.layer_norm(t.matrix, (1,)),
        "topk": lambda: torch.topk(t.x, 1),
        "sort": lambda: torch.sort(t.x),
    }


def _products_and_places(t: Tensors, device: str) -> Calls:
    return {
        "mm": lambda: torch.mm(t.matrix, t.matrix2),
        "bmm": lambda: torch.bmm(t.batch, t.batch),
        "addmm": lambda: torch.addmm(t.vector, t.matrix, t.matrix2),
        "linear": lambda: F.linear(t.matrix, t.matrix2, t.vector),
        "cat": lambda: torch.cat([t.x, t.y]),
        "stack": lambda: torch.stack([t.x, t.y]),
        "index_select": lambda: torch.index_select(t.x, 0, t.index),
        "gather": lambda: torch.gather(t.x, 0, t.index),
        "index": lambda: t.x[t.index],
        "embedding": lambda: F.embedding(t.index, t.matrix),
        "copy_": lambda: t.out.copy_(t.x),
        "clone": lambda: t.x.clone(),
        "fill_": lambda: t.out.fill_(1.0),
        "zero_": lambda: t.out.zero_(),
        "item": lambda: t.x.item(),
        "empty": lambda: torch.empty(1, device=device),
        "view": lambda: t.x.view(1, 1),
        "empty_like": lambda: torch.empty_like(t.x),
    }


def operator_cases(device: str) -> Calls:
    """Return a call of each operator with tensors on `device`, by name."""
    tensors = _tensors(device)
    return {
        **_elementwise(tensors),
        **_reductions(tensors),
        **_products_and_places(tensors, device),
    }
