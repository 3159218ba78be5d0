"""Runs torchgen and opgen with the same flags into folders of their own.

torchgen runs in one Python process per PyTorch, which forks for each run (see
oracles/aten.py), so that it is imported once. opgen runs with an empty PATH: it cannot
call Python.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from .comparison import Comparison, compare_folders

ORACLES = Path(__file__).resolve().parent / "oracles"
CACHE = Path(__file__).resolve().parents[2] / "build" / "torchgen"
PLATFORM = "macosx_14_0_arm64"


@dataclass(frozen=True)
class Generation:
    """A subcommand of opgen and flags that its oracle takes too."""

    command: str = "aten"
    flags: tuple[str, ...] = ()

    def flags_into(self, out: Path) -> list[str]:
        """Return the flags for output to `out`."""
        places: tuple[str, ...]
        if self.command == "aten":
            places = ("-d", "{out}/aten", "--aoti-install-dir", "{out}/aoti")
            places += ("--headeronly-install-dir", "{out}/headeronly")
        else:
            places = ()
        return [flag.replace("{out}", str(out)) for flag in (*places, *self.flags)]


@dataclass
class Outcome:
    """How a run ended."""

    status: int
    seconds: float
    output: str = field(default="", repr=False)


def installed_torchgen() -> Path:
    """Return the folder that holds the installed `torchgen/`."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None or spec.origin is None:
        sys.exit("error: torchgen is not installed; install torch")
    return Path(spec.origin).parent.parent


def torchgen_of(version: str | None) -> Path:
    """Return what holds `torchgen/` of a version; None is the installed one.

    Another version's comes from the smallest wheel, the one for macOS, which stays
    unpacked in build/torchgen/: torchgen, its inputs and the generated headers are the
    same on every platform.
    """
    if version is None:
        return installed_torchgen()
    folder = CACHE / version
    if (folder / "complete").is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", f"torch=={version}"]
    command += ["--no-deps", "--only-binary=:all:", "--platform", PLATFORM]
    command += ["--python-version", "3.11", "--quiet", "--dest", str(folder)]
    if subprocess.run(command).returncode != 0:
        sys.exit(f"error: cannot download the wheel of torch {version} for {PLATFORM}")
    wheel = next(folder.glob("torch-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        wanted = ("torchgen/", "torch/include/")
        names = [n for n in archive.namelist() if n.startswith(wanted)]
        archive.extractall(folder, names)
    wheel.unlink()
    (folder / "complete").touch()
    return folder


class Torchgen:
    """torchgen of one PyTorch. `root` holds `torchgen/` as a wheel ships it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.package = self.root / "torchgen"
        self.source = self.package / "packaged" / "ATen"
        self.child = subprocess.Popen(
            [sys.executable, str(ORACLES / "aten.py")],
            env={**os.environ, "PYTHONPATH": str(self.root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Torchgen:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        assert self.child.stdin is not None
        self.child.stdin.close()
        self.child.wait()

    def run(self, generation: Generation, source: Path, out: Path) -> Outcome:
        """Run on the native_functions.yaml of `source`."""
        begin = time.perf_counter()
        flags = generation.flags_into(out)
        if generation.command == "aten":
            status, output = self._ask(["-s", str(source), *flags])
        else:
            status, output = self._drive(generation.command, source, out, flags)
        return Outcome(status, time.perf_counter() - begin, output)

    def _ask(self, arguments: list[str]) -> tuple[int, str]:
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        print(json.dumps(arguments), file=self.child.stdin, flush=True)
        line = self.child.stdout.readline()
        if not line:
            return 1, "torchgen's process ended"
        answer = json.loads(line)
        return answer["status"], answer["output"]

    def _drive(
        self, command: str, source: Path, out: Path, flags: list[str]
    ) -> tuple[int, str]:
        native = source / "native"
        places = ["--package", str(self.package), "--out", str(out / command)]
        places += ["--native", str(native / "native_functions.yaml")]
        places += ["--tags", str(native / "tags.yaml")]
        (out / command).mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [sys.executable, str(ORACLES / f"{command}.py"), *places, *flags],
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stderr


def run_opgen(
    program: Path, generation: Generation, source: Path, out: Path
) -> Outcome:
    """Run the program on the native_functions.yaml of `source`."""
    flags = generation.flags_into(out)
    if generation.command != "aten":
        flags += ["-d", f"{out}/{generation.command}"]
    begin = time.perf_counter()
    done = subprocess.run(
        [str(program), generation.command, "-s", str(source), *flags],
        env={"PATH": ""},
        capture_output=True,
        text=True,
    )
    return Outcome(done.returncode, time.perf_counter() - begin, done.stderr)


def compare_run(
    name: str,
    program: Path,
    torchgen: Torchgen,
    generation: Generation,
    folder: Path,
    source: Path | None = None,
) -> Comparison:
    """Run both generators and compare what they wrote below `folder`."""
    source = source or torchgen.source
    expected, actual = folder / "torchgen", folder / "opgen"
    for out in (expected, actual):
        # The update of the AOTI shim expects to find its folder.
        (out / "aoti").mkdir(parents=True)
    theirs = torchgen.run(generation, source, expected)
    if theirs.status != 0:
        return Comparison(name, note=f"torchgen failed: {theirs.output[-200:]}")
    ours = run_opgen(program, generation, source, actual)
    if ours.status != 0:
        return Comparison(name, note=f"opgen failed: {ours.output[:400]}")
    result = compare_folders(name, expected, actual)
    result.torchgen_s, result.opgen_s = theirs.seconds, ours.seconds
    return result
