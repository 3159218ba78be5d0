"""What a model of the suite is: how to make it, feed it, train it and use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

# Named tensors; those of `Model.batch` lie on the CPU.
Batch = dict[str, Tensor]
Generation = Callable[[nn.Module, Batch], Tensor]


@dataclass(frozen=True)
class Model:
    """A model, its data, its optimizer, and what to do with it once it is trained.

    `make` builds it on the CPU from the CPU's generator, `batch(step)` gives the data
    of a step, `loss` a 0-dimensional tensor, `evaluate` what a user reads from it.
    Each of `generations` makes tokens or images, without gradients.
    """

    name: str
    make: Callable[[], nn.Module]
    batch: Callable[[int], Batch]
    loss: Callable[[nn.Module, Batch], Tensor]
    evaluate: Callable[[nn.Module, Batch], Tensor]
    optimizer: Callable[[Iterable[nn.Parameter]], Optimizer]
    generations: dict[str, Generation] = field(default_factory=dict)


def adamw(**options) -> Callable[[Iterable[nn.Parameter]], Optimizer]:
    """AdamW whose implementation (`foreach`, `fused`) is named, the same everywhere."""
    return partial(torch.optim.AdamW, lr=1e-3, **options)


def sgd(**options) -> Callable[[Iterable[nn.Parameter]], Optimizer]:
    """SGD with momentum, likewise."""
    return partial(torch.optim.SGD, lr=0.05, momentum=0.9, **options)


def move(batch: Batch, device: str) -> Batch:
    return {name: tensor.to(device) for name, tensor in batch.items()}
