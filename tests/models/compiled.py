"""Training steps under torch.compile, compared with the CPU's."""

from __future__ import annotations

import torch
from torch import Tensor

from tests.models import lockstep
from tests.models.model import Model

STEPS = 2


def losses(model: Model, device: str, backend: str | None) -> list[Tensor]:
    """The losses of two training steps, and the sum of the weights behind them."""
    module = lockstep.make(model, device).train()
    optimizer = model.optimizer(module.parameters())
    if backend is not None:
        torch.compiler.reset()
        # In place: what asks for the model's class or attributes still finds them.
        module.compile(backend=backend, dynamic=False)
    found = [
        lockstep.on_cpu(lockstep.train_step(model, module, optimizer, step, device))
        for step in range(STEPS)
    ]
    return found + [lockstep.on_cpu(p.double().sum()) for p in module.parameters()]


def same_as_cpu(model: Model, backend: str) -> bool:
    """Whether infini compiled by `backend` equals the CPU bit for bit.

    The CPU is compiled too only where the result is not that of its plain run:
    aot_eager takes composite operators apart, which changes the order of some sums.
    """
    got = losses(model, "infini", backend)
    if lockstep.first_difference(losses(model, "cpu", None), got) is None:
        return True
    return lockstep.first_difference(losses(model, "cpu", backend), got) is None
