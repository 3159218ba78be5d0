"""Trains a small network on handwritten digits, on infini and on the CPU, in lockstep.

Both start from the same seed. After every step the two losses are compared; on a device
that computes with PyTorch's own kernels they are equal bit for bit, and the exit code
is 1 if they are not. The data are the 1,797 digits that scikit-learn ships; nothing is
downloaded. A plot and the figures go to build/demo/.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch_infini  # noqa: F401  makes the device "infini"
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.data import DataLoader, TensorDataset

BATCH = 48
ROOT = Path(__file__).resolve().parents[1]
PROVIDERS = {
    "native": "written by hand for this device",
    "infiniops": "a kernel of InfiniOps",
    "host": "PyTorch's CPU kernel on device memory",
    "composite": "PyTorch makes it of other operators",
}


class Residual(nn.Module):
    """Adds what its layers make of the input to the input."""

    def __init__(self, *layers: nn.Module) -> None:
        """Takes layers that keep the shape."""
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        """Runs the layers and adds."""
        return x + self.layers(x)


def make_model() -> nn.Module:
    """A convolutional network for 8x8 images; about 30,000 parameters."""
    return nn.Sequential(
        nn.Conv2d(1, 16, kernel_size=3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        Residual(nn.Conv2d(16, 16, kernel_size=3, padding=1), nn.ReLU()),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, kernel_size=3, padding=1),
        nn.GroupNorm(4, 32),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(128, 128),
        nn.GELU(),
        nn.Dropout(0.25),
        nn.Linear(128, 10),
    )


def load_data(seed: int) -> tuple[TensorDataset, TensorDataset]:
    """The digits, split into 80 % for training and 20 % held out."""
    digits = load_digits()
    images = torch.from_numpy(digits.images).float().unsqueeze(1) / 16
    labels = torch.from_numpy(digits.target).long()
    train, test = train_test_split(
        range(len(labels)), test_size=0.2, random_state=seed, stratify=digits.target
    )
    return (
        TensorDataset(images[train], labels[train]),
        TensorDataset(images[test], labels[test]),
    )


class CountOperators(TorchDispatchMode):
    """Counts the operators that touch a device."""

    def __init__(self, device_type: str) -> None:
        """Counts nothing until it is entered."""
        super().__init__()
        self.device_type = device_type
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401
        types: Sequence[type],
        args: tuple = (),
        kwargs: dict | None = None,
    ) -> Any:  # noqa: ANN401
        """Runs the operator and counts it if a tensor of the device takes part."""
        result = func(*args, **(kwargs or {}))
        leaves = torch.utils._pytree.tree_leaves((args, kwargs, result))
        if any(
            isinstance(leaf, Tensor) and leaf.device.type == self.device_type
            for leaf in leaves
        ):
            self.counts[func.name()] += 1
        return result


@dataclass
class Trainer:
    """One copy of the model on one device, with what it has measured."""

    device: torch.device
    seed: int
    losses: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """Builds the model: its first weights come from the CPU's generator."""
        torch.manual_seed(self.seed)
        self.model = make_model().to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def step(self, images: Tensor, labels: Tensor) -> float:
        """Trains on one batch and returns its loss."""
        begin = time.perf_counter()
        self.model.train()
        images = images.to(self.device, non_blocking=True)
        labels = labels.to(self.device, non_blocking=True)
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(images), labels)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())
        self.seconds += time.perf_counter() - begin
        return self.losses[-1]

    @torch.inference_mode()
    def evaluate(self, held_out: TensorDataset) -> float:
        """Returns the share of held-out digits that the model names correctly."""
        self.model.eval()
        images, labels = (part.to(self.device) for part in held_out.tensors)
        right = self.model(images).argmax(dim=1) == labels
        self.accuracy.append(right.sum().item() / len(labels))
        return self.accuracy[-1]


def train(trainers: Sequence[Trainer], epochs: int, seed: int) -> None:
    """Trains all copies on the same batches and prints a row for each epoch."""
    training, held_out = load_data(seed)
    shuffle = torch.Generator().manual_seed(seed)
    loader = DataLoader(
        training, batch_size=BATCH, shuffle=True, generator=shuffle, pin_memory=True
    )
    # Dropout draws from each device's own generator; both start here.
    torch.manual_seed(seed)

    names = [str(trainer.device) for trainer in trainers]
    header = [f"loss on {name}" for name in names] + ["equal"]
    header += [f"accuracy on {name}" for name in names]
    print("epoch  " + "  ".join(f"{title:>18}" for title in header))
    for epoch in range(1, epochs + 1):
        first = len(trainers[0].losses)
        for number, (images, labels) in enumerate(loader, 1):
            for trainer in trainers:
                trainer.step(images, labels)
            if sys.stdout.isatty():
                print(f"\r{epoch:>5}  step {number} of {len(loader)}", end="\r")
        losses = [trainer.losses[first:] for trainer in trainers]
        row = [f"{sum(values) / len(values):.12f}" for values in losses]
        row.append(f"{sum(map(same, *losses))} of {len(losses[0])}")
        row += [f"{100 * t.evaluate(held_out):.2f} %" for t in trainers]
        print(f"{epoch:>5}  " + "  ".join(f"{value:>18}" for value in row), flush=True)


def same(left: float, right: float) -> bool:
    """Whether two losses have the same bits (a NaN is never the same)."""
    return left == right


def provider_calls() -> Counter[tuple[str, str]]:
    """How often each provider has computed each operator so far."""
    counts = torch.infini.provider_counts()
    return Counter({(name, provider): calls for name, provider, calls in counts})


def provider_table(trainer: Trainer, seed: int) -> list[dict[str, Any]]:
    """Which operators one training step calls, how often, and who computes them."""
    images, labels = next(iter(DataLoader(load_data(seed)[0], batch_size=BATCH)))
    before = provider_calls()
    with CountOperators(trainer.device.type) as counter:
        trainer.step(images, labels)
    trainer.losses.pop()
    rows = provider_calls() - before
    # Kernels written for the device keep no counters.
    computed = {name for name, _ in rows}
    providers = dict(torch.infini.operators())
    for name, calls in counter.counts.items():
        if name not in computed:
            rows[name, providers.get(name, "composite")] = calls
    return [
        {"operator": name, "provider": provider, "calls": calls}
        for (name, provider), calls in sorted(rows.items())
    ]


def print_providers(table: Sequence[dict[str, Any]]) -> None:
    """Prints the operators of one training step, grouped by provider."""
    print("\nOne training step calls these operators (times called):")
    for provider, meaning in PROVIDERS.items():
        rows = [row for row in table if row["provider"] == provider]
        if rows:
            print(f"  {provider}: {meaning}")
            names = ", ".join(f"{row['operator']} {row['calls']}" for row in rows)
            text = names.replace("aten::", "")
            print(textwrap.indent(textwrap.fill(text, 84), "    "))
    fallback = torch.infini.fallback_counts()
    print(
        f"  copied through the CPU (mode {torch.infini.get_fallback()}): "
        f"{sum(fallback.values())} calls"
    )


def print_backend() -> None:
    """Prints which libraries serve the device."""
    backend = torch.infini.runtime_backend()
    print(f"infini:0 is {torch.infini.get_device_name(0)}, backend {backend['name']}")
    for part in ("runtime", "operators"):
        print(f"  {part}: {backend[part]['library']} at {backend[part]['path']}")


def plot(trainers: Sequence[Trainer], path: Path) -> None:
    """Draws the losses of every step and the accuracy after every epoch."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    styles = ("-", "--")
    for trainer, style in zip(trainers, styles, strict=True):
        name = str(trainer.device)
        left.plot(trainer.losses, style, label=name, linewidth=1.5)
        epochs = range(1, len(trainer.accuracy) + 1)
        percent = [100 * value for value in trainer.accuracy]
        right.plot(epochs, percent, style, marker="o", label=name)
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    left.set(title="Training loss", xlabel="step", ylabel="cross entropy", yscale="log")
    right.set(title="Held-out digits", xlabel="epoch", ylabel="named correctly (%)")
    for axes in (left, right):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def positive(text: str) -> int:
    """Parses a positive integer for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def infini_device(text: str) -> torch.device:
    """Parses the name of an infini device for argparse."""
    try:
        torch.infini.get_device_properties(text)
    except (RuntimeError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error).splitlines()[0]) from None
    return torch.device(text)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        description="Trains a small network on handwritten digits on a device and on "
        "the CPU from the same seed, and compares every loss.",
        epilog="Exit code: 0 if all losses are equal bit for bit, 1 if not.",
    )
    parser.add_argument(
        "--epochs", type=positive, default=15, help="passes over the data (default 15)"
    )
    parser.add_argument(
        "--device",
        type=infini_device,
        default="infini:0",
        help="device to compare with the CPU (default infini:0)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="of the weights, the order of the digits, the dropout and the split "
        "(default 0)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "build" / "demo",
        help="folder for digits.png and digits.json (default build/demo)",
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the demo and returns its exit code."""
    options = parse_arguments(arguments)
    print_backend()
    trainers = [
        Trainer(torch.device("cpu"), options.seed),
        Trainer(options.device, options.seed),
    ]
    begin = time.perf_counter()
    train(trainers, options.epochs, options.seed)
    wall = time.perf_counter() - begin
    cpu, device = trainers
    equal = sum(map(same, cpu.losses, device.losses))

    table = provider_table(device, options.seed)
    print_providers(table)
    options.output.mkdir(parents=True, exist_ok=True)
    plot(trainers, options.output / "digits.png")
    results = {
        "seed": options.seed,
        "epochs": options.epochs,
        "steps": len(cpu.losses),
        "equal_losses": equal,
        "runtime_backend": torch.infini.runtime_backend(),
        "operators": table,
        "runs": [
            asdict(trainer) | {"device": str(trainer.device)} for trainer in trainers
        ],
    }
    text = json.dumps(results, indent=1, default=str)
    (options.output / "digits.json").write_text(text + "\n", encoding="utf-8")

    print(
        f"\n{len(cpu.losses)} steps in {wall:.1f} s: {cpu.seconds:.1f} s on "
        f"{cpu.device}, {device.seconds:.1f} s on {device.device}"
    )
    print(f"plot and figures: {options.output}/digits.png, digits.json")
    if equal == len(cpu.losses):
        print(f"OK: all {equal} losses on {device.device} equal the CPU's bit for bit")
        return 0
    print(
        f"FAILED: {len(cpu.losses) - equal} of {len(cpu.losses)} losses differ "
        f"between {cpu.device} and {device.device}",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
