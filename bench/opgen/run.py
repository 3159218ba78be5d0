"""Time opgen against torchgen and against the cost of writing the same bytes.

    python bench/opgen/run.py [--opgen PROGRAM] [--repeats 21] [--torchgen-repeats 5]

Prints tables and writes bench/results/opgen-<commit>.json and .png. Without a program
the preset `opgen`, optimised, is built first. The exit status does not depend on the
figures.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.commit import current_commit  # noqa: E402
from bench.opgen.cases import (  # noqa: E402
    Programs,
    growth_cases,
    inputs,
    opgen_cases,
    torchgen_cases,
)
from bench.opgen.inputs import count_operators  # noqa: E402
from bench.opgen.measure import Figure, PageCache, measure  # noqa: E402
from bench.opgen.report import (  # noqa: E402
    Growth,
    growth_table,
    ratios,
    save_json,
    save_plot,
    table,
)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time opgen against torchgen and against plain writing."
    )
    parser.add_argument("--opgen", type=Path, default=None)
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--torchgen-repeats", type=int, default=5, help="0: none")
    parser.add_argument("--growth-repeats", type=int, default=5, help="0: none")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench-opgen")
    parser.add_argument("--output", type=Path, default=ROOT / "bench" / "results")
    return parser.parse_args()


def _build_opgen() -> Path:
    for command in (
        ["cmake", "--preset", "opgen"],
        ["cmake", "--build", "--preset", "opgen", "--target", "opgen"],
    ):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ROOT / "build" / "opgen" / "opgen" / "opgen"


def _compile(name: str, folder: Path, *libraries: str) -> Path:
    program = folder / name
    source = Path(__file__).resolve().parent / f"{name}.cpp"
    command = ["c++", "-std=c++20", "-O2", "-pthread", str(source), "-o", str(program)]
    subprocess.run([*command, *libraries], check=True)
    return program


def _programs(arguments: argparse.Namespace) -> Programs:
    folder = arguments.folder
    return Programs(
        opgen=(arguments.opgen or _build_opgen()).resolve(),
        write_files=_compile("write_files", folder),
        scan_yaml=_compile("scan_yaml", folder, "-lyaml"),
    )


def _measure_growth(
    arguments: argparse.Namespace, programs: Programs, cache: PageCache
) -> list[Growth]:
    if arguments.growth_repeats == 0:
        return []
    found = growth_cases(programs, arguments.folder)
    cases = [case for _, _, pair in found for case in pair]
    figures = measure(cases, arguments.growth_repeats, cache)
    growth = []
    for index, (times, tree, _) in enumerate(found):
        operators = count_operators(programs.opgen, tree)
        growth.append(Growth(times, operators, figures[2 * index : 2 * index + 2]))
    return growth


def main() -> int:
    """Run the benchmark and return the exit status."""
    arguments = _arguments()
    arguments.folder = arguments.folder.resolve()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    programs = _programs(arguments)
    cache = PageCache(inputs(programs))
    cases = opgen_cases(programs, arguments.folder)
    # Leaves what `nothing changed` and `the same bytes written` start from.
    unchanged = next(case for case in cases if case.name == "opgen: nothing changed")
    measure([unchanged], 1, cache)
    figures: list[Figure] = measure(cases, arguments.repeats, cache)
    if arguments.torchgen_repeats > 0:
        theirs = torchgen_cases(arguments.folder)
        measure(theirs[1:2], 1, cache)
        figures += measure(theirs, arguments.torchgen_repeats, cache)
    growth = _measure_growth(arguments, programs, cache)
    print(table(figures))
    print("\ncold: the inputs and the program are not in the page cache")
    print(ratios(figures))
    print(growth_table(growth))
    commit = current_commit()
    record = {
        "commit": commit,
        "torch": version("torch"),
        "machine": platform.processor() or platform.machine(),
    }
    data = arguments.output / f"opgen-{commit}.json"
    plot = arguments.output / f"opgen-{commit}.png"
    save_json(record, figures, growth, data)
    save_plot(figures, growth, plot)
    shutil.rmtree(arguments.folder, ignore_errors=True)
    print(f"\nwritten: {data}, {plot}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
