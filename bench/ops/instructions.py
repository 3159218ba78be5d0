"""Counts the instructions of operator calls on infini and on the CPU.

    python bench/ops/instructions.py [--only add mul] [--calls 200] [--json FILE]

Each operator is called at one element under valgrind's callgrind, after a warm-up, with
Python's garbage collector off. The figure is instructions per call, Python's own
included: it repeats to within a few, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = ("add", "mul", "sum", "mm", "cat", "copy_", "empty", "view")
DEVICES = ("cpu", "infini")
WORKER = """
import ctypes, gc, sys
sys.path.insert(0, sys.argv[1])
marks = ctypes.CDLL(sys.argv[2])
calls = int(sys.argv[3])
import torch
from bench.operator_cases import operator_cases
torch.set_num_threads(1)
gc.disable()
with torch.no_grad():
    for device in ("cpu", "infini"):
        cases = operator_cases(device)
        for name in sys.argv[4:]:
            call = cases[name]
            for _ in range(20):
                call()
            marks.marks_start()
            for _ in range(calls):
                call()
            marks.marks_stop(f"{device} {name}".encode())
"""


def build_marks(folder: Path) -> Path:
    """Compile the library that marks what is counted."""
    library = folder / "libmarks.so"
    source = ROOT / "bench" / "ops" / "callgrind_marks.cpp"
    command = ["c++", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    return library


def count(names: list[str], calls: int, folder: Path) -> dict[str, dict[str, float]]:
    """Return instructions per call by operator and device.

    What callgrind wrote stays in `folder`, for callgrind_annotate.
    """
    command = [
        "valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet",
        f"--callgrind-out-file={folder / 'out'}",
        sys.executable, "-c", WORKER, str(ROOT), str(build_marks(folder)),
        str(calls), *names,
    ]  # fmt: skip
    subprocess.run(command, check=True)
    counts: dict[str, dict[str, float]] = {name: {} for name in names}
    for path in folder.glob("out.*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        trigger = re.search(r"^desc: Trigger: .*?: (\w+) (.+)$", text, re.M)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
        if trigger and total:
            device, name = trigger.groups()
            counts[name][device] = int(total.group(1)) / calls
    return counts


def main() -> int:
    """Count, print a table, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=list(OPERATORS))
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for callgrind's output")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = arguments.keep or Path(place)
        counts = count(arguments.only, arguments.calls, folder)
    print(f"{'operator':<14} {'cpu':>9} {'infini':>9} {'ratio':>6}")
    ratios = []
    for name, by_device in counts.items():
        cpu, infini = (by_device[device] for device in DEVICES)
        ratios.append(infini / cpu)
        print(f"{name:<14} {cpu:>9.0f} {infini:>9.0f} {infini / cpu:>6.2f}")
    mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
    print(f"{'geometric mean':<34} {mean:>6.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(counts, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
