"""Runs the steps of `make test` one after the other and sums them up.

    python tools/run_tests.py [--all] [--only STEP ...] [--list]

A failed step does not stop the others. The last lines are a table with the time and
the counts of each step; the exit status is 1 if any failed. `--all` adds the steps of
`make test-all`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a step says about its tests: the last line that matches is shown.
COUNTS = re.compile(
    r"(\d+% tests passed.*|"
    r"(?:=+ )?(\d+ (?:passed|failed|skipped|error).*) in [\d.]+s.*|"
    r".*: \d+ passed, \d+ failed.*|.*nothing changed since the last success)"
)


@dataclass(frozen=True)
class Step:
    """A command, and what it is called."""

    name: str
    command: list[str]
    everywhere: bool = False  # only with --all
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What became of a step."""

    name: str
    status: int
    seconds: float
    counts: str


def jobs() -> str:
    """Return how many processes run at a time."""
    return os.environ.get("MAX_JOBS") or str(os.cpu_count() or 1)


def steps() -> list[Step]:
    """Return all steps in the order they run."""
    pytest = [sys.executable, "-m", "pytest", "-q"]
    # A file's tests stay together: many share something that is built once.
    side_by_side = ["-n", jobs(), "--dist", "loadfile"]
    headers = [sys.executable, "tools/check_torch_headers.py"]
    parity = [sys.executable, "-m", "tests.opgen.parity", "--set", "full"]
    parity += ["--opgen", "build/dev/opgen/opgen"]

    def workflow(preset: str) -> list[str]:
        return ["cmake", "--workflow", "--preset", preset]

    return [
        Step("cpp", workflow("dev")),
        Step("opgen-release", workflow("opgen")),
        Step(
            "python",
            [*pytest, *side_by_side, "tests", "-m", "not packaging and not models"],
        ),
        Step("asan", workflow("asan")),
        Step("tsan", workflow("tsan")),
        Step("opgen-asan", workflow("fuzz")),
        Step(
            "fuzz",
            [sys.executable, "tools/run_fuzz.py", "--fresh", "--seconds", "60"],
        ),
        Step("packaging", [*pytest, "tests/packaging", "-m", "packaging"]),
        Step("torch-2.12-headers", headers),
        Step(
            "operators",
            [sys.executable, "-m", "tests.operators"],
            everywhere=True,
        ),
        Step(
            "models",
            [*pytest, "tests/models", "-m", "models"],
            everywhere=True,
        ),
        Step("opgen-parity", parity, everywhere=True),
        Step("opgen-parity-2.12", [*parity, "--version", "2.12.1"], everywhere=True),
        Step(
            "opgen-compiles",
            [*pytest, "tests/opgen/test_compiles.py"],
            everywhere=True,
            environment={"INFINI_OPGEN_COMPILE_ALL": "1"},
        ),
        Step("release", workflow("release"), everywhere=True),
    ]


def run(step: Step) -> Result:
    """Run `step` and pass its output on."""
    print(f"\n=== {step.name}: {' '.join(step.command)}", flush=True)
    environment = {
        **os.environ,
        "CMAKE_BUILD_PARALLEL_LEVEL": jobs(),
        "CTEST_PARALLEL_LEVEL": jobs(),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **step.environment,
    }
    start = time.monotonic()
    counts = ""
    with subprocess.Popen(
        step.command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as child:
        for line in child.stdout:
            print(line, end="", flush=True)
            match = COUNTS.fullmatch(line.strip())
            if match:
                counts = match[2] or match[1]
    return Result(step.name, child.returncode, time.monotonic() - start, counts)


def table(results: list[Result]) -> str:
    """Return the summary, whose last line says how many steps passed."""
    lines = ["", f"{'step':<20} {'result':<7} {'seconds':>7}  tests"]
    for result in results:
        verdict = "passed" if result.status == 0 else "FAILED"
        seconds = f"{result.seconds:7.0f}"
        lines.append(f"{result.name:<20} {verdict:<7} {seconds}  {result.counts}")
    total = sum(result.seconds for result in results)
    failed = sum(result.status != 0 for result in results)
    lines.append(f"{'total':<20} {'':<7} {total:7.0f}")
    lines.append(f"{len(results) - failed} passed, {failed} failed")
    return "\n".join(line.rstrip() for line in lines)


def main() -> int:
    """Run the chosen steps; return 1 if one failed, 2 if one is unknown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="STEP", default=[])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    known = {step.name: step for step in steps()}
    unknown = [name for name in arguments.only if name not in known]
    if unknown:
        print(f"error: no step is called {unknown[0]!r}; there are: {', '.join(known)}")
        return 2
    if arguments.only:
        chosen = [known[name] for name in arguments.only]
    else:
        chosen = [s for s in known.values() if arguments.all or not s.everywhere]
    if arguments.list:
        print("\n".join(f"{step.name}: {' '.join(step.command)}" for step in chosen))
        return 0
    results = [run(step) for step in chosen]
    print(table(results))
    return 1 if any(result.status for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
