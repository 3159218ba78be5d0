"""Compare what opgen and torchgen write for backends outside of PyTorch's tree.

    python tests/opgen/oracles/stubs.py --opgen build/dev/opgen/opgen

Descriptions that both accept go through both generators, and every byte is compared.
Malformed ones must be refused with a place and a message, leaving no file; what
torchgen says to it is shown beside. torchgen runs in this process: it parses
native_functions.yaml once and forks for each description. With --separate it runs as
`python -m torchgen.gen_backend_stubs` instead.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from stubs_cases import (
    BEYOND,
    IMPLEMENTATIONS,
    KERNELS,
    MALFORMED,
    make_cases,
    make_implementation,
)


class Torchgen:
    """torchgen's generator, run once for each description."""

    def __init__(self, root: Path, separate: bool) -> None:
        self.root = root
        self.separate = separate
        sys.path.insert(0, str(root))
        from torchgen import gen, gen_backend_stubs

        aten = root / "torchgen/packaged/ATen/native"
        if not aten.exists():
            aten = root / "aten/src/ATen/native"
        # As run() writes the paths, so that it finds the parsed file.
        parsed = gen.parse_native_yaml(
            str(aten / "native_functions.yaml"), str(aten / "tags.yaml")
        )
        self.functions = {str(f.func.name): f for f in parsed.native_functions}
        self.run = gen_backend_stubs.run
        # Generated files name the program that made them.
        sys.modules["__main__"].__file__ = gen_backend_stubs.__file__

    def generate(self, folder: Path) -> str:
        """Read be.yaml and perhaps k.cpp, write to out; return what went wrong."""
        if self.separate:
            module = "torchgen.gen_backend_stubs"
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    module,
                    "-s",
                    "be.yaml",
                    "-o",
                    "out",
                    *impl(folder),
                ],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(self.root)},
                capture_output=True,
                text=True,
            )
            return done.stderr if done.returncode else ""
        report = folder / "torchgen.txt"
        child = os.fork()
        if child == 0:
            self.generate_and_exit(folder, report)
        status = os.waitpid(child, 0)[1]
        return report.read_text() if status else ""

    def generate_and_exit(self, folder: Path, report: Path) -> None:
        """Do the work of a forked process."""
        status = 1
        try:
            os.chdir(folder)
            with contextlib.redirect_stdout(io.StringIO()):
                self.run("be.yaml", "out", False, *impl(folder)[1:])
            status = 0
        except BaseException as error:
            report.write_text(f"{type(error).__name__}: {error}")
        os._exit(status)


def impl(folder: Path) -> list[str]:
    """Return the flag for a file that must name the kernels, if there is one."""
    return ["--impl-path", "k.cpp"] if (folder / "k.cpp").exists() else []


def run_opgen(opgen: str, root: Path, folder: Path) -> subprocess.CompletedProcess:
    """Run opgen on be.yaml in the folder, with no Python to be found."""
    flags = ["-s", "be.yaml", "-o", "out", "--torchgen", str(root), *impl(folder)]
    return subprocess.run(
        [opgen, "stubs", *flags],
        cwd=folder,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        errors="replace",
    )


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files by their names, but not the manifest's."""
    if not folder.exists():
        return {}
    paths = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    return {path.name: path.read_bytes() for path in paths}


def write_description(folder: Path, text: str) -> None:
    """Make the folder and the description in it."""
    folder.mkdir(parents=True)
    (folder / "be.yaml").write_bytes(text.encode(errors="surrogateescape"))


def compare(name: str, text: str, base: Path, torchgen: Torchgen, opgen: str) -> bool:
    """Run both generators on one description and print a line."""
    for side in ("torchgen", "opgen"):
        write_description(base / side, text)
    failure = torchgen.generate(base / "torchgen")
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    expected = files_in(base / "torchgen/out")
    found = files_in(base / "opgen/out")
    problems = [
        n for n in expected.keys() | found.keys() if expected.get(n) != found.get(n)
    ]
    if failure:
        problems.append(f"torchgen failed: {failure.splitlines()[0]}")
    if done.returncode:
        problems.append(f"opgen failed: {done.stderr[:300]}")
    size = sum(len(contents) for contents in expected.values())
    print(f"{name:<28} {len(expected)} files {size:>9} bytes  {problems or 'equal'}")
    return not problems


def refuse(name: str, text: str, base: Path, torchgen: Torchgen, opgen: str) -> bool:
    """Check that opgen refuses a description, and print both messages."""
    for side in ("torchgen", "opgen"):
        write_description(base / side, text)
    failure = torchgen.generate(base / "torchgen").splitlines() or ["accepted"]
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    line = done.stderr.splitlines()[0] if done.stderr else "nothing"
    placed = line.startswith("be.yaml:") or "nowhere.yaml" in line
    clean = not (base / "opgen/out").exists()
    ok = done.returncode == 1 and placed and clean and " error: " in f" {line}"
    print(f"{name:<24} {'ok' if ok else 'FAILED'}  {line}\n{'':<28}[{failure[0][:90]}]")
    return ok


def beyond(name: str, text: str, base: Path, torchgen: Torchgen, opgen: str) -> bool:
    """Check that opgen takes a description that torchgen does not."""
    for side in ("torchgen", "opgen"):
        write_description(base / side, text)
    failure = torchgen.generate(base / "torchgen").splitlines() or ["accepted"]
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    names = ["PrivateUse1NativeFunctions.h", "RegisterPrivateUse1.cpp"]
    ok = done.returncode == 0 and list(files_in(base / "opgen/out")) == names
    ok = ok and failure != ["accepted"]
    print(f"{name:<24} {'ok' if ok else 'FAILED'}  [{failure[0][:90]}]")
    return ok


def implement(
    name: str, case: tuple[str, bool], base: Path, torchgen: Torchgen, opgen: str
) -> bool:
    """Check that both say the same of a file that must name the kernels."""
    source, accepted = case
    for side in ("torchgen", "opgen"):
        write_description(base / side, KERNELS)
        text = make_implementation(source)
        (base / side / "k.cpp").write_bytes(text.encode())
    by_torchgen = not torchgen.generate(base / "torchgen")
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    by_opgen = done.returncode == 0
    lines = done.stderr.splitlines()
    ok = by_torchgen == by_opgen == accepted
    ok = ok and (by_opgen or any(" definitions of " in line for line in lines))
    verdict = "accepted" if by_opgen else "refused"
    print(f"{name:<24} {'ok' if ok else 'FAILED'}  {verdict} {by_torchgen=}")
    return ok


def main() -> int:
    """Return 0 if everything is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opgen", required=True, help="the program")
    parser.add_argument("--torchgen", help="the folder that holds torchgen/")
    parser.add_argument("--separate", action="store_true")
    kinds = ["compare", "refuse", "beyond", "implement"]
    parser.add_argument("--checks", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--only", default="", help="part of the names to run")
    parser.add_argument("--keep", help="a folder for inputs and outputs")
    options = parser.parse_args()
    root = options.torchgen
    if root is None:
        spec = importlib.util.find_spec("torchgen")
        if spec is None or spec.origin is None:
            sys.exit("error: torchgen is not installed; install torch")
        root = Path(spec.origin).parent.parent
    torchgen = Torchgen(Path(root).resolve(), options.separate)
    opgen = str(Path(options.opgen).resolve())
    cases = make_cases(torchgen.functions)
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(options.keep or temporary)
        results = [
            check(name, text, base / check.__name__ / str(i), torchgen, opgen)
            for check, table in (
                (compare, cases),
                (refuse, MALFORMED),
                (beyond, BEYOND),
                (implement, IMPLEMENTATIONS),
            )
            if check.__name__ in options.checks
            for i, (name, text) in enumerate(table.items())
            if options.only in name
        ]
    print(f"{len(results)} descriptions, {results.count(False)} failures")
    return 1 if False in results or not results else 0


if __name__ == "__main__":
    sys.exit(main())
