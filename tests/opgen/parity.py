"""Compares every byte that opgen writes with what torchgen writes.

    python tests/opgen/parity.py --opgen build/dev/opgen/opgen [--set full]
    python tests/opgen/parity.py --opgen ... --torchgen FOLDER   another PyTorch's

FOLDER holds `torchgen/` as a wheel ships it. Each row of the table is one set of flags:
both generators run on the same input into folders of their own, and the folders are
compared. opgen runs with an empty PATH, so it cannot call Python. With an installed
PyTorch the headers that its wheel ships are compared too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

# What the wheel's build puts around every header when it installs it.
GUARD_BEGIN = b"#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n"
GUARD_END = (
    b"#endif  // !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n"
)

PER_OPERATOR = ("--per-operator-headers",)
DEFAULT_SET = {"per-operator": PER_OPERATOR}
WHITELIST = (
    "--op-registration-whitelist",
    "aten::add",
    "aten::empty",
    "aten::conv2d",
    "aten::view",
    "aten::split",
    "aten::native_batch_norm",
)
FULL_SET = {
    **DEFAULT_SET,
    "aggregated": (),
    "rocm": ("--rocm", *PER_OPERATOR),
    "every backend": ("--mps", "--xpu", "--mtia", *PER_OPERATOR),
    "every backend, aggregated": ("--mps", "--xpu", "--mtia"),
    "static dispatch CPU": ("--static-dispatch-backend", "CPU"),
    "static dispatch CPU, per-operator": (
        "--static-dispatch-backend",
        "CPU",
        *PER_OPERATOR,
    ),
    "static dispatch CPU CUDA": ("--static-dispatch-backend", "CPU", "CUDA"),
    "whitelist": (*WHITELIST, *PER_OPERATOR),
    "whitelist, forced schemas": (*WHITELIST, "--force-schema-registration"),
    "backend whitelist": ("--backend-whitelist", "CPU", "Meta", *PER_OPERATOR),
    "skip registration": ("--skip-dispatcher-op-registration", *PER_OPERATOR),
    "headers": ("--generate", "headers", *PER_OPERATOR),
    "sources": ("--generate", "sources"),
    "declarations": ("--generate", "declarations_yaml"),
    "dry run": ("--dry-run", "-o", "{out}/deps.cmake", *PER_OPERATOR),
    "dependencies": ("-o", "{out}/deps.cmake", *PER_OPERATOR),
    "AOTI shim": ("--update-aoti-c-shim", "--generate", "sources"),
}


@dataclass
class Comparison:
    """What became of one row."""

    name: str
    equal: int = 0
    different: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    size: int = 0
    torchgen_s: float = 0.0
    opgen_s: float = 0.0
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether something was compared and all of it was equal."""
        problems = self.different or self.missing or self.extra or self.note
        return self.equal > 0 and not problems

    def row(self) -> str:
        """Return the line of the table."""
        return (
            f"{self.name:<34} {self.equal:>6} {self.size / 1e6:>8.2f} "
            f"{len(self.different):>9} {len(self.missing):>7} {len(self.extra):>5} "
            f"{self.torchgen_s:>8.1f} {self.opgen_s:>7.2f}  "
            f"{'ok' if self.ok else 'FAILED'} {self.note}"
        )


HEADER = (
    f"{'flags':<34} {'equal':>6} {'MB':>8} {'different':>9} {'missing':>7} "
    f"{'extra':>5} {'torchgen':>8} {'opgen s':>7}"
)


def installed_torchgen() -> Path:
    """Return the folder that holds the installed `torchgen/`."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None or spec.origin is None:
        sys.exit("error: torchgen is not installed; install torch")
    return Path(spec.origin).parent.parent


def arguments_for(source: Path, out: Path, flags: tuple[str, ...]) -> list[str]:
    """Return the flags both generators take for one run into `out`."""
    return [
        "-s",
        str(source),
        "-d",
        f"{out}/aten",
        "--aoti-install-dir",
        f"{out}/aoti",
        "--headeronly-install-dir",
        f"{out}/headeronly",
        *(flag.replace("{out}", str(out)) for flag in flags),
    ]


def make_folders(out: Path, flags: tuple[str, ...]) -> None:
    """Create what --update-aoti-c-shim expects to find."""
    (out / "aoti").mkdir(parents=True)


def run_torchgen(root: Path, source: Path, out: Path, flags: tuple[str, ...]):
    """Run `python -m torchgen.gen`; return the finished process and seconds."""
    make_folders(out, flags)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "torchgen.gen", *arguments_for(source, out, flags)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    return done, time.perf_counter() - begin


def run_opgen(program: Path, source: Path, out: Path, flags: tuple[str, ...]):
    """Run `opgen aten`; return the finished process and seconds."""
    make_folders(out, flags)
    begin = time.perf_counter()
    done = subprocess.run(
        [str(program), "aten", *arguments_for(source, out, flags)],
        env={"PATH": ""},
        capture_output=True,
        text=True,
    )
    return done, time.perf_counter() - begin


def files_below(folder: Path) -> dict[str, Path]:
    """Return every file of a folder by its relative name."""
    return {
        str(path.relative_to(folder)): path
        for path in folder.rglob("*")
        if path.is_file()
    }


def compare_folders(name: str, expected: Path, actual: Path) -> Comparison:
    """Compare two folders byte by byte; paths inside the files are the same."""
    result = Comparison(name)
    wanted, made = files_below(expected), files_below(actual)
    for relative, path in sorted(wanted.items()):
        if relative not in made:
            result.missing.append(relative)
            continue
        want = path.read_bytes()
        have = made[relative].read_bytes()
        if want.replace(bytes(expected), b"OUT") == have.replace(bytes(actual), b"OUT"):
            result.equal += 1
            result.size += len(want)
        else:
            result.different.append(relative)
    result.extra = sorted(set(made) - set(wanted) - {"aten/.opgen-manifest"})
    return result


def compare_run(
    name: str,
    program: Path,
    root: Path,
    source: Path,
    flags: tuple[str, ...],
    folder: Path,
) -> Comparison:
    """Run both generators with the same flags and compare what they wrote."""
    expected, actual = folder / "torchgen", folder / "opgen"
    theirs, torchgen_s = run_torchgen(root, source, expected, flags)
    ours, opgen_s = run_opgen(program, source, actual, flags)
    if theirs.returncode != 0:
        return Comparison(name, note=f"torchgen failed: {theirs.stderr[-200:]}")
    if ours.returncode != 0:
        return Comparison(name, note=f"opgen failed: {ours.stderr[:400]}")
    result = compare_folders(name, expected, actual)
    result.torchgen_s, result.opgen_s = torchgen_s, opgen_s
    return result


def without_guard(text: bytes) -> bytes:
    """Return a shipped header as it was before it was installed."""
    if not text.startswith(GUARD_BEGIN):
        return text
    end = text.rfind(b"#else\n#error")
    return text[len(GUARD_BEGIN) : end].removesuffix(b"\n") if end >= 0 else text


def compare_shipped(include: Path, actual: Path) -> Comparison:
    """Compare the headers that a wheel ships with those that opgen made.

    Headers of the same name that are not generated have no counterpart and do not
    count.
    """
    result = Comparison("headers that the wheel ships")
    pairs = [(actual / "aten", include / "ATen"), (actual / "headeronly", None)]
    for made_below, shipped_below in pairs:
        if shipped_below is None:
            shipped_below = include / "torch" / "headeronly" / "core"
        for relative, path in sorted(files_below(made_below).items()):
            shipped = shipped_below / relative
            if not shipped.is_file():
                continue
            want = without_guard(shipped.read_bytes()).rstrip(b"\n")
            if want == path.read_bytes().rstrip(b"\n"):
                result.equal += 1
                result.size += len(want)
            else:
                result.different.append(relative)
    return result


def report(result: Comparison) -> None:
    """Print the line of a comparison and the first files that differ."""
    print(result.row(), flush=True)
    for kind in ("different", "missing", "extra"):
        for name in getattr(result, kind)[:8]:
            print(f"    {kind}: {name}")


def main() -> int:
    """Run the chosen set; return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opgen", type=Path, required=True)
    parser.add_argument("--torchgen", type=Path, default=None)
    parser.add_argument("--set", choices=["default", "full"], default="default")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", type=Path, default=None)
    arguments = parser.parse_args()
    root = arguments.torchgen or installed_torchgen()
    source = root / "torchgen" / "packaged" / "ATen"
    rows = FULL_SET if arguments.set == "full" or arguments.only else DEFAULT_SET
    chosen = arguments.only or list(rows)
    print(f"torchgen: {root / 'torchgen'}\n{HEADER}")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in chosen:
            folder = Path(scratch) / "run"
            program = arguments.opgen.resolve()
            result = compare_run(name, program, root, source, rows[name], folder)
            report(result)
            failed += not result.ok
            include = root / "torch" / "include"
            if name == "per-operator" and include.is_dir() and not result.note:
                shipped = compare_shipped(include, folder / "opgen")
                report(shipped)
                failed += not shipped.ok
            if arguments.keep:
                shutil.rmtree(arguments.keep, ignore_errors=True)
                shutil.copytree(folder, arguments.keep)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{failed} failed" if failed else "all equal")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
