"""Runs a model of the suite on a device and compares two runs bit for bit."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from tests.models.model import Model, move

STEPS = 20
SEED = 7
# Batches that no step trained on.
HELD_OUT = 1000


@dataclass
class Run:
    """What one device computed. All tensors are copies on the CPU."""

    parameters: int = 0
    losses: list[Tensor] = field(default_factory=list)
    gradients: dict[str, Tensor] = field(default_factory=dict)  # of the first step
    weights: dict[str, Tensor] = field(default_factory=dict)  # after the last step
    outputs: Tensor | None = None
    generated: dict[str, Tensor] = field(default_factory=dict)


def on_cpu(tensor: Tensor) -> Tensor:
    return tensor.detach().cpu().clone()


def same_bits(left: Tensor, right: Tensor) -> bool:
    """Whether dtype, shape and every bit are equal; NaN equals itself, -0 is not 0."""
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    raw = [x.contiguous().flatten().view(torch.uint8) for x in (left, right)]
    return torch.equal(*raw)


def make(model: Model, device: str) -> nn.Module:
    """The model with its first weights, the same on each device, and both seeds set."""
    torch.manual_seed(SEED)
    module = model.make().to(device)
    torch.manual_seed(SEED)
    return module


def train_step(model: Model, module, optimizer, step: int, device: str) -> Tensor:
    """Trains on the batch of a step and returns its loss, where it was computed."""
    optimizer.zero_grad()
    loss = model.loss(module, move(model.batch(step), device))
    loss.backward()
    optimizer.step()
    return loss.detach()


def run(model: Model, device: str, steps: int = STEPS) -> Run:
    """Trains, evaluates and generates on a device."""
    module = make(model, device).train()
    optimizer = model.optimizer(module.parameters())
    result = Run(parameters=sum(p.numel() for p in module.parameters()))
    for step in range(steps):
        result.losses.append(on_cpu(train_step(model, module, optimizer, step, device)))
        if step == 0:
            result.gradients = {
                name: on_cpu(parameter.grad)
                for name, parameter in module.named_parameters()
                if parameter.grad is not None
            }
    result.weights = {name: on_cpu(x) for name, x in module.state_dict().items()}
    module.eval()
    batch = move(model.batch(HELD_OUT), device)
    with torch.inference_mode():
        result.outputs = on_cpu(model.evaluate(module, batch))
    with torch.no_grad():
        for name, generate in model.generations.items():
            torch.manual_seed(SEED)
            # Generating may change the model's settings, never its weights.
            result.generated[name] = on_cpu(generate(copy.deepcopy(module), batch))
    return result


def first_difference(left: list[Tensor], right: list[Tensor]) -> int | None:
    """The first step whose losses differ, or None."""
    pairs = zip(left, right, strict=True)
    return next((i for i, pair in enumerate(pairs) if not same_bits(*pair)), None)


def differences(expected: dict[str, Tensor], got: dict[str, Tensor]) -> list[str]:
    """The names that one side lacks or whose bits differ."""
    assert expected.keys() == got.keys()
    return [name for name in expected if not same_bits(expected[name], got[name])]
