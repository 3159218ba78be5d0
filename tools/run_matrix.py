"""Builds and tries torch-infini with every supported Python and PyTorch.

    python tools/run_matrix.py [--pythons "python3.10 python3.11"] [--torch 2.12 2.13]

Python 3.10, 3.11 and 3.12 are looked for on PATH (a pyenv shim without that version
does not count) or named with --pythons. Each combination gets its own virtual
environment below build/matrix/, one at a time, removed afterwards: install PyTorch,
build and install the package, import it, run the smoke test. The default PyTorch of
PyPI takes about 5 GB and 3 minutes. Results: a table and build/matrix/results.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
PYTHONS = ("3.10", "3.11", "3.12")
# The version that is installed for each minor version.
TORCH = {"2.12": "2.12.1", "2.13": "2.13.0"}
TOOLS = ("setuptools", "wheel", "cmake", "ninja", "scipy-openblas32", "numpy")
SMOKE = ROOT / "tests" / "packaging" / "smoke.py"


def python_version(python: str) -> str | None:
    """Return major.minor of an interpreter, or None if it does not run."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        child = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        return None
    return child.stdout.strip() if child.returncode == 0 else None


def find_pythons(named: list[str]) -> dict[str, str | None]:
    """Return an interpreter for each version, None where there is none."""
    if named:
        versions = {python: python_version(python) for python in named}
        broken = [python for python, version in versions.items() if version is None]
        if broken:
            sys.exit(f"error: '{broken[0]}' does not run")
        return {version: python for python, version in versions.items()}
    found = {}
    for version in PYTHONS:
        candidates = [
            str(Path(folder) / f"python{version}")
            for folder in os.environ["PATH"].split(os.pathsep)
        ]
        working = [c for c in candidates if python_version(c) == version]
        found[version] = working[0] if working else None
    return found


def pins() -> dict[str, list[str]]:
    """Return the lines of requirements.txt that name each build tool."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {
        tool: [line for line in lines if line.split("==")[0] == tool] for tool in TOOLS
    }


def try_one(python: str, torch: str, folder: Path) -> tuple[str, str]:
    """Return the stage that failed, or "passed", and what the last command said."""
    venv = folder / "venv"
    inside = str(venv / "bin" / "python")
    pip = [inside, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    tools = [line for lines in pins().values() for line in lines]
    index = os.environ.get("TORCH_INDEX")
    stages = {
        "environment": [python, "-m", "venv", str(venv)],
        "torch": [
            *pip, f"torch=={torch}", *tools,
            *(["--extra-index-url", index] if index else []),
        ],
        "build": [*pip, "--no-build-isolation", "--no-deps", str(ROOT)],
        "import": [inside, "-c", "import torch_infini"],
        "smoke": [inside, str(SMOKE)],
    }  # fmt: skip
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["INFINI_BUILD_DIR"] = str(folder / "build")
    output = ""
    for stage, command in stages.items():
        print(f"  {stage}: {shlex.join(command)}", flush=True)
        where = ROOT if stage == "build" else folder
        child = subprocess.run(
            command,
            cwd=where,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        output = child.stdout
        if child.returncode != 0:
            print(output[-4000:])
            return stage, output[-4000:]
    return "passed", output[-4000:]


def run_one(version: str, python: str | None, minor: str) -> dict[str, object]:
    """Return the result of one combination, with its environment removed."""
    torch = TORCH.get(minor, minor)
    print(f"Python {version}, PyTorch {torch}", flush=True)
    start = time.monotonic()
    if python is None:
        verdict, output = "no interpreter", f"python{version} is not on PATH"
    else:
        FOLDER.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f"py{version}-", dir=FOLDER))
        try:
            verdict, output = try_one(python, torch, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return {
        "python": version,
        "torch": torch,
        "result": verdict,
        "seconds": round(time.monotonic() - start),
        "output": output,
    }


def main() -> int:
    """Try each combination; return 1 unless all passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pythons", default="", help="interpreters, space separated")
    parser.add_argument("--torch", nargs="+", default=list(TORCH), metavar="MINOR")
    arguments = parser.parse_args()
    pythons = find_pythons(shlex.split(arguments.pythons))
    results = [
        run_one(version, python, minor)
        for version, python in sorted(pythons.items())
        for minor in arguments.torch
    ]
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=2) + "\n"
    (FOLDER / "results.json").write_text(text, encoding="utf-8")
    print(f"\n{'python':<8} {'torch':<8} {'seconds':>7}  result")
    for result in results:
        verdict = result["result"]
        if verdict not in ("passed", "no interpreter"):
            verdict = f"FAILED at {verdict}"
        row = f"{result['python']:<8} {result['torch']:<8} {result['seconds']:>7}"
        print(f"{row}  {verdict}")
    return 0 if all(result["result"] == "passed" for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
