"""Compares every byte that opgen writes with what torchgen writes.

    python -m tests.opgen.parity --opgen build/dev/opgen/opgen [--set full]
    python -m tests.opgen.parity --opgen ... --version 2.12.1    another PyTorch
    python -m tests.opgen.parity --opgen ... --torchgen FOLDER   the same, unpacked

FOLDER holds `torchgen/` as a wheel ships it; --version downloads one once. Each row of
the table is one set of flags: both generators run on the same input into folders of
their own, and the folders are compared. opgen runs with an empty PATH, so it cannot
call Python. Three classes are counted apart: headers that the wheel ships, which an
independent build made; what torchgen writes on the same input; and unboxing, whose
emitter no wheel holds, so that a driver of our own over torchgen.api.unboxing takes its
place.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from .comparison import HEADER, Comparison, compare_shipped
from .generators import Generation, Torchgen, compare_run, torchgen_of
from .mutants import compare_mutants

SHIPPED = "equal to headers that the wheel ships"
SAME_INPUT = "equal to torchgen's on the same input"
MUTATED = "the same, mutated inputs"
OWN_DRIVER = "unboxing: equal to our own driver's"
MUTANTS = {"default": 3, "full": 200}

PER_OPERATOR = ("--per-operator-headers",)
DEPENDENCIES = ("-o", "{out}/deps.cmake", *PER_OPERATOR)
STATIC = ("--static-dispatch-backend", "CPU")
BACKENDS = ("--mps", "--xpu", "--mtia")
OPERATORS = (
    "aten::add",
    "aten::empty",
    "aten::conv2d",
    "aten::view",
    "aten::split",
    "aten::native_batch_norm",
)
WHITELIST = ("--op-registration-whitelist", *OPERATORS)
FULL_ATEN: dict[str, tuple[str, ...]] = {
    "per-operator": PER_OPERATOR,
    "aggregated": (),
    "rocm": ("--rocm", *PER_OPERATOR),
    "mps": ("--mps", *PER_OPERATOR),
    "every backend": (*BACKENDS, *PER_OPERATOR),
    "every backend, aggregated": BACKENDS,
    "static dispatch CPU": STATIC,
    "static dispatch CPU, per-operator": (*STATIC, *PER_OPERATOR),
    "static dispatch CPU CUDA": (*STATIC, "CUDA"),
    "whitelist": (*WHITELIST, *PER_OPERATOR),
    "whitelist, forced schemas": (*WHITELIST, "--force-schema-registration"),
    "backend whitelist": ("--backend-whitelist", "CPU", "Meta", *PER_OPERATOR),
    "skip registration": ("--skip-dispatcher-op-registration", *PER_OPERATOR),
    "headers": ("--generate", "headers", *PER_OPERATOR),
    "sources": ("--generate", "sources"),
    "declarations": ("--generate", "declarations_yaml"),
    "dry run": ("--dry-run", *DEPENDENCIES),
    "dependencies": DEPENDENCIES,
    "AOTI shim": ("--update-aoti-c-shim", "--generate", "sources"),
}
AUTOGRAD = ("--only", "trace,inplace_or_view,variable_factories")
FULL_SET: dict[str, Generation] = {
    **{name: Generation("aten", flags) for name, flags in FULL_ATEN.items()},
    "autograd": Generation("autograd", AUTOGRAD),
    "unboxing": Generation("unboxing"),
    "unboxing, allowlist": Generation(
        "unboxing", ("--op-registration-allowlist", *OPERATORS)
    ),
}
DEFAULT_SET = ("per-operator", "autograd", "unboxing")


def class_of(generation: Generation) -> str:
    """Return the class that a comparison of this kind belongs to."""
    return OWN_DRIVER if generation.command == "unboxing" else SAME_INPUT


def rows_of_wheel(include: Path) -> tuple[str, ...]:
    """Return the rows whose flags are those that a wheel's headers were made with."""
    if not include.is_dir():
        return ()
    mps = any((include / "ATen" / "ops").glob("*_mps_dispatch.h"))
    return ("mps" if mps else "per-operator", "autograd")


class Report:
    """Prints each comparison and adds it to its class."""

    def __init__(self) -> None:
        kinds = (SHIPPED, SAME_INPUT, MUTATED, OWN_DRIVER)
        self.classes = {kind: Comparison(kind) for kind in kinds}
        self.failed = 0

    def add(self, kind: str, result: Comparison) -> None:
        """Report one comparison."""
        print(result.details(), flush=True)
        self.classes[kind].add(result)
        self.failed += not result.ok

    def print_classes(self) -> None:
        """Print the totals."""
        print()
        for total in self.classes.values():
            if total.equal or total.different or total.missing:
                print(
                    f"{total.name}: {total.equal} files, {total.size / 1e6:.1f} MB; "
                    f"different {len(total.different)}, missing {len(total.missing)}, "
                    f"extra {len(total.extra)}"
                )
        print(f"{self.failed} failed" if self.failed else "all equal")


def compare_rows(
    chosen: list[str],
    program: Path,
    torchgen: Torchgen,
    scratch: Path,
    report: Report,
    keep: Path | None,
) -> None:
    """Compare the chosen rows, one after the other."""
    include = torchgen.root / "torch" / "include"
    shipped = rows_of_wheel(include)
    for name in chosen:
        folder = scratch / "run"
        generation = FULL_SET[name]
        result = compare_run(name, program, torchgen, generation, folder)
        report.add(class_of(generation), result)
        if name in shipped:
            report.add(SHIPPED, compare_shipped(include, folder / "opgen"))
        if keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(folder, keep)
        shutil.rmtree(folder, ignore_errors=True)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opgen", type=Path, required=True)
    parser.add_argument("--torchgen", type=Path, default=None)
    parser.add_argument("--version", default=None)
    parser.add_argument("--set", choices=["default", "full"], default="default")
    parser.add_argument("--only", nargs="*", default=None, help="these rows")
    parser.add_argument("--mutants", type=int, default=None, help="0: none")
    parser.add_argument("--seed", type=int, default=0, help="of the first mutant")
    parser.add_argument("--keep", type=Path, default=None, help="copy the last run")
    return parser.parse_args()


def main() -> int:
    """Run the chosen set; return 1 if anything differs."""
    arguments = parse_arguments()
    root = arguments.torchgen or torchgen_of(arguments.version)
    chosen, mutants = arguments.only, arguments.mutants
    if mutants is None:
        mutants = MUTANTS[arguments.set] if chosen is None else 0
    if chosen is None:
        chosen = list(FULL_SET) if arguments.set == "full" else list(DEFAULT_SET)
    program = arguments.opgen.resolve()
    report = Report()
    print(f"torchgen: {root / 'torchgen'}\n{HEADER}", flush=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        Torchgen(root) as torchgen,
    ):
        place = Path(scratch)
        compare_rows(chosen, program, torchgen, place, report, arguments.keep)
        if mutants > 0:
            found = compare_mutants(program, torchgen, mutants, place, arguments.seed)
            report.add(MUTATED, found.files)
            print(found.summary())
    report.print_classes()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
