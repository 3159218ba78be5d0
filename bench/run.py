"""Time torch-infini against plain PyTorch on the CPU, in one process.

    python bench/run.py [--runs 3] [--repeats 21] [--threads 1 2] [--only TEXT ...]

Prints a table and writes bench/results/<commit>.json and .png. The machine decides the
absolute times; the ratios are what to look at, and the load average says how much to
trust them. The exit status does not depend on the figures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.cases import Case, all_cases  # noqa: E402
from bench.commit import current_commit  # noqa: E402
from bench.measure import Figure, measure  # noqa: E402
from bench.report import save_json, save_plot, table  # noqa: E402


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time torch-infini against plain PyTorch on the CPU."
    )
    parser.add_argument(
        "--runs", type=int, default=3, help="whole runs; the middle counts"
    )
    parser.add_argument(
        "--repeats", type=int, default=21, help="repeats per case and run"
    )
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", default=[], help="cases that contain TEXT")
    parser.add_argument("--output", type=Path, default=ROOT / "bench" / "results")
    return parser.parse_args()


def _selected(only: list[str]) -> list[Case]:
    cases = all_cases()
    if not only:
        return cases
    return [
        case for case in cases if any(t in f"{case.group} {case.name}" for t in only)
    ]


def _run(cases: list[Case], arguments: argparse.Namespace, number: int) -> list[Figure]:
    figures = []
    for threads in arguments.threads:
        for case in cases:
            label = f"run {number}, {threads} thr: {case.group} {case.name}"
            print(f"\r\033[K{label}", end="", file=sys.stderr, flush=True)
            figures.append(measure(case, threads, arguments.repeats))
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    return figures


def main() -> int:
    """Run the benchmark and return the exit status."""
    import torch_infini  # noqa: F401

    arguments = _arguments()
    cases = _selected(arguments.only)
    if not cases:
        print(f"no case contains any of {arguments.only}", file=sys.stderr)
        return 2
    runs = [_run(cases, arguments, number + 1) for number in range(arguments.runs)]
    print(table(runs))
    commit = current_commit()
    data = arguments.output / f"{commit}.json"
    plot = arguments.output / f"{commit}.png"
    save_json(runs, data, commit)
    save_plot(runs, plot)
    print(f"\nwritten: {data}, {plot}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
