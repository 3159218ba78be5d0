"""Times libinfiniops against PyTorch's CPU kernels on the same memory.

Each case is run in turns, 21 times each way in one process; the table has the
medians. `out=` compares with torch.add(a, b, out=c), which is the kernel alone;
`fresh` with torch.add(a, b), which allocates its result. Our time is measured
around the C++ call, without Python; PyTorch's includes its dispatcher.

    INFINI_OPS_TEST_LIBRARY=build/dev/tests/embedded/ops/libinfini_ops_test.so \
        python bench/ops/compare_with_torch.py [--threads 1 2] [--only TEXT]
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "embedded" / "ops"))

from infini_ops import Library  # noqa: E402

ROUNDS = 21
SIZES = {"1K": 1 << 10, "32K": 1 << 15, "1M": 1 << 20, "16M": 1 << 24}


def sample(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    """Random numbers of a dtype."""
    if dtype.is_floating_point:
        return torch.randn(*shape).to(dtype)
    return torch.randint(-100, 100, shape, dtype=dtype)


def add_cases() -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """Name and operands of each case."""
    f = torch.float32
    yield "add 1 element float32", sample(f, 1), sample(f, 1)
    for label, size in SIZES.items():
        yield f"add {label} float32", sample(f, size), sample(f, size)
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64):
        name = str(dtype).removeprefix("torch.")
        yield f"add 1M {name}", sample(dtype, 1 << 20), sample(dtype, 1 << 20)
    yield "(32, 32) + (32,)", sample(f, 32, 32), sample(f, 32)
    x, y = sample(f, 1024, 1024), sample(f, 1024, 1024)
    yield "(1024, 1024) + (1024,)", x, sample(f, 1024)
    yield "(1024, 1024) + (1024, 1)", x, sample(f, 1024, 1)
    yield "x.t() + y, 1024^2", x.t(), y
    yield "x.t() + y.t(), 1024^2", x.t(), y.t()
    yield "x[:, ::2] + y[:, ::2]", x[:, ::2], y[:, ::2]


def seconds(function: Callable[[], object], repeats: int) -> float:
    """Time of one call."""
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def time_case(
    ours: Callable[[int], float],
    with_out: Callable[[], object],
    fresh: Callable[[], object],
) -> tuple[float, float, float]:
    """Medians in nanoseconds: ours, PyTorch with out=, PyTorch without."""
    once = min(seconds(with_out, 1) for _ in range(3))
    repeats = max(1, min(2000, int(2e-3 / once)))
    times: tuple[list[float], ...] = ([], [], [])
    for _ in range(ROUNDS):
        times[0].append(ours(repeats))
        times[1].append(seconds(with_out, repeats) * 1e9)
        times[2].append(seconds(fresh, repeats) * 1e9)
    first, second, third = (statistics.median(series) for series in times)
    return first, second, third


def cases(
    library: Library,
) -> Iterator[
    tuple[str, Callable[[int], float], Callable[[], object], Callable[[], object]]
]:
    """Name and the three ways to compute each case."""
    for name, a, b in add_cases():
        out = torch.add(a, b)
        expected = out.clone()
        library.binary("Add", a, b, out)
        if not torch.equal(out, expected):
            raise SystemExit(f"{name}: the results differ")
        yield (
            name,
            lambda n, a=a, b=b, out=out: library.binary("Add", a, b, out, n),
            lambda a=a, b=b, out=out: torch.add(a, b, out=out),
            lambda a=a, b=b: torch.add(a, b),
        )
    for size in (64, 512, 1024):
        a, b, c = (torch.randn(size, size) for _ in range(3))
        yield (
            f"sgemm {size}",
            lambda n, a=a, b=b, c=c: library.gemm(a, b, c, 0.0, n),
            lambda a=a, b=b, c=c: torch.mm(a, b, out=c),
            lambda a=a, b=b: torch.mm(a, b),
        )


def report(name: str, threads: int, times: tuple[float, float, float]) -> None:
    """Prints one line of the table."""
    ours, out, fresh = (value / 1e3 for value in times)
    print(
        f"{name:26} {threads:3} {ours:10.3f} {out:10.3f} {fresh:10.3f} "
        f"{ours / out:6.2f} {ours / fresh:6.2f}",
        flush=True,
    )


def main() -> None:
    """Prints the table and keeps it where --json says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--json")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"load average {load:.2f}, {ROUNDS} rounds, times in microseconds")
    print(
        f"{'case':26} {'thr':>3} {'ours':>10} {'out=':>10} {'fresh':>10} "
        f"{'/out=':>6} {'/fresh':>6}"
    )
    rows = []
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for name, *ways in cases(Library()):
            if arguments.only in name:
                times = time_case(*ways)
                report(name, threads, times)
                rows.append({"case": name, "threads": threads, "ns": times})
    if arguments.json:
        text = json.dumps({"load_average": load, "rows": rows}, indent=1)
        pathlib.Path(arguments.json).write_text(text + "\n")


if __name__ == "__main__":
    main()
