"""The cases that the benchmark of opgen times, and their targets."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.opgen.inputs import make_multiplied, source_folder, torchgen_root
from bench.opgen.measure import Case

WRITE_S = {1: 0.6, 2: 0.45}
HASH_S = 0.3
UNCHANGED_S = 0.1
PARSE_S = 0.04
PEAK_MB = 150.0
GROWTH = (1, 2, 4, 8)


@dataclass(frozen=True)
class Programs:
    """What is run."""

    opgen: Path
    write_files: Path
    scan_yaml: Path


def _flags(source: Path, out: Path) -> list[str]:
    places = ["-d", f"{out}/aten", "--aoti-install-dir", f"{out}/aoti"]
    places += ["--headeronly-install-dir", f"{out}/headeronly"]
    return ["-s", str(source), *places, "--per-operator-headers"]


def inputs(programs: Programs) -> list[Path]:
    """Return the files that a run reads, the program included."""
    source = source_folder()
    files = [*source.rglob("*.yaml"), *(source / "templates").rglob("*")]
    files += [torchgen_root() / "torchgen/aoti/fallback_ops.py", programs.opgen]
    return [path for path in files if path.is_file()]


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def opgen_cases(programs: Programs, root: Path) -> list[Case]:
    """Return the cases of opgen, each beside what it cannot do without."""
    source = source_folder()
    opgen = str(programs.opgen)
    written, kept, floor = root / "written", root / "kept", root / "floor"
    cases = []
    for cold in (False, True):
        for threads in (1, 2):
            jobs = ["-j", str(threads)]

            def case(name: str, command: list[str], **more: object) -> Case:
                return Case(name, command, threads, cold, **more)  # noqa: B023

            flags = _flags(source, written)
            cases += [
                case(
                    "opgen: all files, per operator",
                    [opgen, "aten", *flags, *jobs],
                    prepare=lambda: _empty(written),
                    target_s=None if cold else WRITE_S[threads],
                    target_mb=PEAK_MB,
                ),
                case(
                    "the same bytes written",
                    [str(programs.write_files), str(kept), str(floor), str(threads)],
                    prepare=lambda: _empty(floor),
                    own_clock=True,
                ),
                case(
                    "opgen: hash only",
                    [opgen, "aten", *flags, *jobs, "--sink", "hash"],
                    target_s=HASH_S if threads == 1 and not cold else None,
                    target_mb=PEAK_MB,
                ),
                case(
                    "opgen: nothing changed",
                    [opgen, "aten", *_flags(source, kept), *jobs],
                    target_s=None if cold else UNCHANGED_S,
                    target_mb=PEAK_MB,
                ),
            ]
        yaml = str(source / "native" / "native_functions.yaml")
        cases += [
            Case(
                "opgen: parse and model",
                [opgen, "check", yaml],
                cold=cold,
                target_s=None if cold else PARSE_S,
                target_mb=PEAK_MB,
            ),
            Case("libyaml alone", [str(programs.scan_yaml), yaml], 1, cold),
        ]
    return cases


def torchgen_cases(root: Path) -> list[Case]:
    """Return the same generations by torchgen."""
    source, out, kept = source_folder(), root / "torchgen", root / "torchgen-kept"
    environment = {"PYTHONPATH": str(torchgen_root())}
    native = source / "native"
    parse = (
        "import torchgen.gen\ntorchgen.gen.parse_native_yaml("
        f"{str(native / 'native_functions.yaml')!r}, {str(native / 'tags.yaml')!r})"
    )
    generate = [sys.executable, "-m", "torchgen.gen"]

    def make_empty() -> None:
        _empty(out)
        (out / "aoti").mkdir()

    (kept / "aoti").mkdir(parents=True, exist_ok=True)
    return [
        Case(
            "torchgen: all files, per operator",
            [*generate, *_flags(source, out)],
            prepare=make_empty,
            environment=environment,
        ),
        Case(
            "torchgen: nothing changed",
            [*generate, *_flags(source, kept)],
            environment=environment,
        ),
        Case(
            "torchgen: parse and model",
            [sys.executable, "-c", parse],
            environment=environment,
        ),
    ]


def growth_cases(programs: Programs, root: Path) -> list[tuple[int, Path, list[Case]]]:
    """Return factor, tree and cases for each number of operators."""
    found = []
    trees = make_multiplied(programs.opgen, source_folder(), GROWTH, root / "grown")
    for times, tree in zip(GROWTH, trees, strict=True):
        yaml = str(tree / "native" / "native_functions.yaml")
        flags = [*_flags(tree, root / "written"), "-j", "1", "--sink", "hash"]
        hashed = Case(
            f"opgen: hash only, x{times}", [str(programs.opgen), "aten", *flags]
        )
        parsed = Case(
            f"opgen: parse and model, x{times}", [str(programs.opgen), "check", yaml]
        )
        found.append((times, tree, [hashed, parsed]))
    return found
