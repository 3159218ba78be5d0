"""Trains for a while and tells what that does to the memory of the process.

    python tools/soak.py [--minutes 10] [--warm-up 30] [--device infini] [--json PATH]

A small model (convolution, attention, linear layers) is trained by AdamW with changing
batch sizes, gradient clipping, evaluation, and now and then a checkpoint that is saved
and loaded. After the warm-up the resident memory is sampled; the last lines tell

- the slope of the resident memory, by least squares, in MB per minute and in total;
- the page faults per minute after the warm-up, and how many the first second needed;
- what the allocator holds at most over what tensors use at most (infini only).

The exit status is 1 if the loss is not finite.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import resource
import time
from dataclasses import asdict, dataclass, field

import torch
import torch_infini  # noqa: F401  makes the device "infini"
from torch import nn

MB = 1 << 20
PAGE = resource.getpagesize()
# Batches differ in size, so blocks of several sizes come and go.
BATCHES = (64, 48, 64, 34, 16)


@dataclass
class Samples:
    """Resident memory by time since the warm-up."""

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> None:
        """Take one sample."""
        self.seconds.append(seconds)
        self.megabytes.append(resident_bytes() / MB)

    def slope(self) -> float:
        """MB per minute by least squares; 0 with fewer than two samples."""
        count = len(self.seconds)
        if count < 2:
            return 0.0
        mean_x = sum(self.seconds) / count
        mean_y = sum(self.megabytes) / count
        pairs = zip(self.seconds, self.megabytes, strict=True)
        above = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
        below = sum((x - mean_x) ** 2 for x in self.seconds)
        return 60 * above / below if below else 0.0


@dataclass
class Report:
    """What a soak measured."""

    device: str
    minutes: float
    steps: int
    loss: float
    first_mb: float
    last_mb: float
    slope_mb_per_minute: float
    slope_mb_total: float
    faults_in_first_second: int
    faults_per_minute: float
    steps_per_second: float
    peak_mb: float | None
    reserved_mb: float | None
    reserved_over_peak: float | None


def resident_bytes() -> int:
    """The resident memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def page_faults() -> int:
    """Page faults of this process so far that needed no disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


class Net(nn.Module):
    """Images of 32 x 32 to ten classes."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.patches = nn.Conv2d(3, 96, 4, stride=4)
        layer = nn.TransformerEncoderLayer(96, 4, 384, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(96), nn.Linear(96, 10))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Logits of shape (batch, 10) for images of shape (batch, 3, 32, 32)."""
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        return self.head(self.encoder(tokens).mean(1))


class Training:
    """A model with its optimizer, and steps of both."""

    def __init__(self, device: str) -> None:
        """Make the model on a device."""
        torch.manual_seed(0)
        self.device = device
        self.model = Net().to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-3)
        self.loss = nn.CrossEntropyLoss()
        self.steps = 0

    def step(self) -> None:
        """One step of training; every 50th evaluates, every 500th saves and loads."""
        size = BATCHES[self.steps % len(BATCHES)]
        images = torch.randn(size, 3, 32, 32).to(self.device)
        labels = torch.randint(10, (size,)).to(self.device)
        self.last_batch = images, labels
        self.optimizer.zero_grad()
        loss = self.loss(self.model(images), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        if self.steps % 50 == 0:
            self.evaluate()
        if self.steps % 500 == 0:
            self.checkpoint()

    @torch.no_grad()
    def evaluate(self) -> float:
        """The loss of the last batch without dropout."""
        images, labels = self.last_batch
        self.model.eval()
        loss = self.loss(self.model(images), labels).item()
        self.model.train()
        return loss

    def checkpoint(self) -> None:
        """Save and load the model and the optimizer."""
        buffer = io.BytesIO()
        parts = (self.model, self.optimizer)
        torch.save([part.state_dict() for part in parts], buffer)
        buffer.seek(0)
        states = torch.load(buffer)
        for part, state in zip(parts, states, strict=True):
            part.load_state_dict(state)


def soak(device: str, minutes: float, warm_up: float) -> Report:
    """Train and measure.

    Args:
        device: where the model is.
        minutes: how long, warm-up included.
        warm_up: seconds before the first sample.
    """
    training = Training(device)
    start = time.monotonic()
    first_faults = page_faults()
    while time.monotonic() - start < min(1.0, warm_up):
        training.step()
    first_faults = page_faults() - first_faults
    while time.monotonic() - start < warm_up:
        training.step()
    gc.collect()

    samples, faults, steps = Samples(), page_faults(), training.steps
    begin = time.monotonic()
    samples.add(0.0)
    next_sample = 1.0
    while (now := time.monotonic() - begin) < 60 * minutes - warm_up:
        training.step()
        if now >= next_sample:
            samples.add(now)
            next_sample = now + 1.0
    seconds = time.monotonic() - begin
    samples.add(seconds)
    peak = reserved = None
    if device == "infini":
        peak = torch.infini.max_memory_allocated()
        reserved = torch.infini.max_memory_reserved()
    return Report(
        device=device,
        minutes=minutes,
        steps=training.steps,
        loss=training.evaluate(),
        first_mb=samples.megabytes[0],
        last_mb=samples.megabytes[-1],
        slope_mb_per_minute=samples.slope(),
        slope_mb_total=samples.slope() * seconds / 60,
        faults_in_first_second=first_faults,
        faults_per_minute=(page_faults() - faults) / seconds * 60,
        steps_per_second=(training.steps - steps) / seconds,
        peak_mb=peak and peak / MB,
        reserved_mb=reserved and reserved / MB,
        reserved_over_peak=reserved and reserved / peak,
    )


def main() -> int:
    """Run a soak and print its report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=30, help="seconds")
    parser.add_argument("--device", default="infini")
    parser.add_argument("--json", help="also write the report to this file")
    arguments = parser.parse_args()
    report = soak(arguments.device, arguments.minutes, arguments.warm_up)
    for name, value in asdict(report).items():
        text = f"{value:.4g}" if isinstance(value, float) else value
        print(f"{name:24} {text}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(asdict(report), file, indent=2)
    return 0 if math.isfinite(report.loss) else 1


if __name__ == "__main__":
    raise SystemExit(main())
