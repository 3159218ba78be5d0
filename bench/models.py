"""The table of the models suite: what is equal, who computed it, and how fast.

    python bench/models.py [--only NAME ...] [--attention sdpa] [--no-compile]
    python bench/models.py --large [--threads 1 2] [--repeats 21]

The first form trains, evaluates, generates and compiles each model of tests/models on
infini and on the CPU, compares bit for bit, and times steps of both, one after the
other. The second times training steps of realistic sizes (activations of 1 to 64 MB).
Both write bench/results/models-<commit>.json. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from torch import Tensor  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

from bench.commit import current_commit  # noqa: E402
from bench.measure import in_turns, ratio_quartiles  # noqa: E402
from tests.models import compiled, lockstep, zoo  # noqa: E402
from tests.models.model import Model  # noqa: E402

Row = dict[str, object]


class CountOperators(TorchDispatchMode):
    """Counts the operators that a tensor of infini takes part in."""

    def __init__(self) -> None:
        """Counts nothing until it is entered."""
        super().__init__()
        self.calls: Counter[str] = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None) -> object:  # noqa: ANN001
        """Runs the operator and counts it."""
        result = func(*args, **(kwargs or {}))
        leaves = tree_leaves((args, kwargs, result))
        if any(isinstance(x, Tensor) and x.device.type == "infini" for x in leaves):
            self.calls[func.name()] += 1
        return result


def _counted() -> Counter[tuple[str, str]]:
    counts = torch.infini.provider_counts()
    return Counter({(name, provider): calls for name, provider, calls in counts})


def providers(step: Callable[[], object]) -> dict[str, int]:
    """Return how many calls of one training step each provider served."""
    before = _counted()
    with CountOperators() as mode:
        step()
    counted = _counted() - before
    served: Counter[str] = Counter()
    for (_, provider), calls in counted.items():
        served[provider] += calls
    # Native kernels and composites keep no counters.
    names = {name for name, _ in counted}
    first = dict(torch.infini.operators())
    for name, calls in mode.calls.items():
        if name not in names:
            served[first.get(name, "composite")] += calls
    return dict(served)


def stepper(model: Model, device: str) -> Callable[[], float]:
    """Return a function that trains one step and returns its seconds."""
    module = lockstep.make(model, device).train()
    optimizer = model.optimizer(module.parameters())
    number = 0

    def step() -> float:
        nonlocal number
        begin = time.perf_counter()
        lockstep.train_step(model, module, optimizer, number, device).item()
        number += 1
        return time.perf_counter() - begin

    return step


def speed(model: Model, repeats: int) -> Row:
    """Time steps on infini and on the CPU in turn; medians, and that of the ratios."""
    infini, cpu = stepper(model, "infini"), stepper(model, "cpu")
    for _ in range(3):
        infini(), cpu()
    pairs = in_turns(infini, cpu, repeats)
    low, middle, high = ratio_quartiles(pairs)
    return {
        "infini_steps_per_s": 1 / statistics.median(a for a, _ in pairs),
        "cpu_steps_per_s": 1 / statistics.median(b for _, b in pairs),
        "ratio": middle,
        "ratio_low": low,
        "ratio_high": high,
        "threads": torch.get_num_threads(),
        "repeats": repeats,
        "load": os.getloadavg()[0],
    }


def fidelity(model: Model, compile_too: bool) -> Row:
    """Compare training, evaluation, generation and compilation with the CPU's."""
    expected = lockstep.run(model, "cpu")
    got = lockstep.run(model, "infini")
    row: Row = {
        "parameters": expected.parameters,
        "steps": len(expected.losses),
        "first_difference": lockstep.first_difference(expected.losses, got.losses),
        "gradients": not lockstep.differences(expected.gradients, got.gradients),
        "weights": not lockstep.differences(expected.weights, got.weights),
        "outputs": lockstep.same_bits(expected.outputs, got.outputs),
        "generations": len(expected.generated),
        "generated": not lockstep.differences(expected.generated, got.generated),
    }
    if compile_too:
        for backend in ("eager", "aot_eager"):
            row[backend] = compiled.same_as_cpu(model, backend)
    return row | {"providers": providers(stepper(model, "infini"))}


def _yes(value: object) -> str:
    return {True: "yes", False: "NO", None: "-"}[value]


def _line(name: str, row: Row) -> list[str]:
    first = row["first_difference"]
    made = _yes(row["generated"]) if row["generations"] else "-"
    served = row["providers"]
    counts = ", ".join(f"{name} {served[name]}" for name in sorted(served))
    return [
        name,
        f"{row['parameters']:,}",
        f"{row['steps']}",
        "yes" if first is None else f"NO, step {first}",
        _yes(row["gradients"] and row["weights"]),
        _yes(row["outputs"]),
        made,
        _yes(row.get("eager")),
        _yes(row.get("aot_eager")),
        *_speed(row),
        counts,
    ]


def _speed(row: Row) -> list[str]:
    return [
        f"{row['infini_steps_per_s']:.1f}",
        f"{row['cpu_steps_per_s']:.1f}",
        f"{row['ratio']:.2f} ({row['ratio_low']:.2f}-{row['ratio_high']:.2f})",
    ]


FIDELITY = (
    "model|parameters|steps|losses|gradients, weights|eval|generated|eager|aot_eager"
    "|infini steps/s|CPU steps/s|time infini/CPU (quartiles)|calls of a step"
)
SPEED = "model|threads|infini steps/s|CPU steps/s|time infini/CPU (quartiles)|load"


def _print_table(header: str, lines: list[list[str]]) -> None:
    titles = header.split("|")
    print("\n| " + " | ".join(titles) + " |")
    print("|" + " --- |" * len(titles))
    for line in lines:
        print("| " + " | ".join(line) + " |")


def _is_equal(row: Row) -> bool:
    wanted = ("gradients", "weights", "outputs", "generated", "eager", "aot_eager")
    return row["first_difference"] is None and all(row.get(k, True) for k in wanted)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compare the models of tests/models on infini and on the CPU."
    )
    parser.add_argument("--only", nargs="+", choices=list(zoo.BUILDERS), metavar="NAME")
    parser.add_argument("--attention", choices=["eager", "sdpa"], default="eager")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--large", action="store_true", help="time realistic sizes")
    parser.add_argument("--threads", type=int, nargs="+")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--output", type=Path, default=ROOT / "bench" / "results")
    return parser.parse_args()


def _compare(arguments: argparse.Namespace) -> tuple[dict[str, Row], int]:
    rows: dict[str, Row] = {}
    torch.set_num_threads((arguments.threads or [1])[0])
    for name in arguments.only or zoo.BUILDERS:
        model = zoo.build(name, "small", arguments.attention)
        print(f"{model.name} ...", file=sys.stderr, flush=True)
        rows[model.name] = fidelity(model, not arguments.no_compile)
        rows[model.name] |= speed(model, arguments.repeats)
    _print_table(FIDELITY, [_line(name, row) for name, row in rows.items()])
    different = [name for name, row in rows.items() if not _is_equal(row)]
    print(f"\n{len(rows) - len(different)} of {len(rows)} models equal the CPU's")
    return rows, 1 if different else 0


def _time_large(arguments: argparse.Namespace) -> tuple[dict[str, Row], int]:
    rows: dict[str, Row] = {}
    for threads in arguments.threads or [1, 2]:
        torch.set_num_threads(threads)
        for name in arguments.only or zoo.BUILDERS:
            model = zoo.build(name, "large", arguments.attention)
            label = f"{model.name}, threads: {threads}"
            print(f"{label} ...", file=sys.stderr, flush=True)
            rows[label] = speed(model, arguments.repeats)
    lines = [
        [*label.split(", threads: "), *_speed(row), f"{row['load']:.1f}"]
        for label, row in rows.items()
    ]
    _print_table(SPEED, lines)
    ratios = [row["ratio"] for row in rows.values()]
    print(
        f"\ngeometric mean {statistics.geometric_mean(ratios):.3f}, "
        f"worst {max(ratios):.3f}; numerics {torch.infini.get_numerics()}"
    )
    return rows, 0


def main() -> int:
    """Print the table and return the exit status."""
    import torch_infini  # noqa: F401
    import transformers

    transformers.logging.set_verbosity_error()
    arguments = _arguments()
    load = os.getloadavg()[0]
    print(f"torch {torch.__version__}, transformers {transformers.__version__}")
    rows, status = (_time_large if arguments.large else _compare)(arguments)
    print(f"load average: {load:.1f} before, {os.getloadavg()[0]:.1f} after")
    suffix = "-large" if arguments.large else ""
    path = arguments.output / f"models-{current_commit()}{suffix}.json"
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"written: {path}")
    return status


if __name__ == "__main__":
    sys.exit(main())
