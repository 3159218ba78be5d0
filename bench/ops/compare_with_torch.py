"""Times libinfiniops against PyTorch's CPU kernels on the same memory.

Each case is run in turns, at least 21 times each way in one process; the table has the medians.
`out=` compares with torch.add(a, b, out=c), which is the kernel alone; `fresh` with torch.add(a, b),
which allocates its result. The time of ours is measured inside the library's caller, so it has no
Python in it; for small tensors PyTorch's includes its dispatcher.

    INFINI_OPS_TEST_LIBRARY=build/dev/tests/embedded/ops/libinfini_ops_test.so \
        python bench/ops/compare_with_torch.py [--threads 1 2] [--json FILE] [--only TEXT]
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "embedded" / "ops"))

from infini_ops import Library  # noqa: E402

ROUNDS = 21


def integers(dtype, *shape):
    if dtype.is_floating_point:
        return torch.randn(*shape).to(dtype)
    return torch.randint(-100, 100, shape, dtype=dtype)


def add_cases():
    yield "add 1 element float32", integers(torch.float32, 1), integers(torch.float32, 1)
    for label, size in (("1K", 1 << 10), ("32K", 1 << 15), ("1M", 1 << 20), ("16M", 1 << 24)):
        yield (
            f"add {label} float32",
            integers(torch.float32, size),
            integers(torch.float32, size),
        )
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64):
        name = str(dtype).removeprefix("torch.")
        yield f"add 1M {name}", integers(dtype, 1 << 20), integers(dtype, 1 << 20)
    f = torch.float32
    yield "(32, 32) + (32,)", integers(f, 32, 32), integers(f, 32)
    yield "(1024, 1024) + (1024,)", integers(f, 1024, 1024), integers(f, 1024)
    yield "(1024, 1024) + (1024, 1)", integers(f, 1024, 1024), integers(f, 1024, 1)
    yield "x.t() + y, 1024^2", integers(f, 1024, 1024).t(), integers(f, 1024, 1024)
    yield "x.t() + y.t(), 1024^2", integers(f, 1024, 1024).t(), integers(f, 1024, 1024).t()
    x = integers(f, 1024, 1024)[:, ::2]
    y = integers(f, 1024, 1024)[:, ::2]
    yield "x[:, ::2] + y[:, ::2]", x, y


def seconds(function, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def repeats_for(function):
    once = min(seconds(function, 1) for _ in range(3))
    return max(1, min(2000, int(2e-3 / once)))


def time_case(ours, with_out, fresh):
    """Medians, in nanoseconds, of ours, of torch with out= and of torch without."""
    repeats = repeats_for(with_out)
    times = ([], [], [])
    for _ in range(ROUNDS):
        times[0].append(ours(repeats))
        times[1].append(seconds(with_out, repeats) * 1e9)
        times[2].append(seconds(fresh, repeats) * 1e9)
    return [statistics.median(series) for series in times]


def row(name, threads, medians):
    ours, with_out, fresh = medians
    return {
        "case": name,
        "threads": threads,
        "ours_ns": round(ours, 1),
        "torch_out_ns": round(with_out, 1),
        "torch_fresh_ns": round(fresh, 1),
        "ratio_out": round(ours / with_out, 3),
        "ratio_fresh": round(ours / fresh, 3),
    }


def run(library, threads, only):
    torch.set_num_threads(threads)
    for name, a, b in add_cases():
        if only not in name:
            continue
        out = torch.add(a, b)
        expected = out.clone()
        library.binary("Add", a, b, out)
        assert torch.equal(out, expected), name
        yield row(
            name,
            threads,
            time_case(
                lambda n, a=a, b=b, out=out: library.binary("Add", a, b, out, n),
                lambda a=a, b=b, out=out: torch.add(a, b, out=out),
                lambda a=a, b=b: torch.add(a, b),
            ),
        )
    for size in (64, 512, 1024):
        name = f"sgemm {size}"
        if only not in name:
            continue
        a, b, c = (torch.randn(size, size) for _ in range(3))
        yield row(
            name,
            threads,
            time_case(
                lambda n, a=a, b=b, c=c: library.gemm(a, b, c, 0.0, n),
                lambda a=a, b=b, c=c: torch.mm(a, b, out=c),
                lambda a=a, b=b: torch.mm(a, b),
            ),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--json")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    library = Library()
    rows = []
    print(f"load average {os.getloadavg()[0]:.2f}, {ROUNDS} rounds, times in microseconds")
    print(f"{'case':28} {'thr':>3} {'ours':>10} {'out=':>10} {'fresh':>10} {'/out=':>6} {'/fresh':>6}")
    for threads in arguments.threads:
        for result in run(library, threads, arguments.only):
            rows.append(result)
            print(
                f"{result['case']:28} {threads:3} {result['ours_ns'] / 1e3:10.3f} "
                f"{result['torch_out_ns'] / 1e3:10.3f} {result['torch_fresh_ns'] / 1e3:10.3f} "
                f"{result['ratio_out']:6.2f} {result['ratio_fresh']:6.2f}",
                flush=True,
            )
    if arguments.json:
        pathlib.Path(arguments.json).write_text(
            json.dumps({"load_average": os.getloadavg()[0], "rows": rows}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
