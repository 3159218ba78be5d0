"""Runs the fuzz targets of opgen side by side and tells what they did.

    python tools/run_fuzz.py [--seconds 1800] [--fresh] [--build FOLDER] [TARGET ...]

Each target starts from its stored corpus, tests/opgen/fuzz/corpus/TARGET, from seeds
that are cut out of the installed PyTorch's native_functions.yaml, and from what earlier
runs found (not with --fresh). As many run at a time as there are processors, or
MAX_JOBS. An input that ends a target lies in BUILD/fuzz/TARGET-crash-*; it belongs in
the stored corpus once the fault is mended. One that took long is run again alone, and
counts if it takes SLOW seconds of a processor's time: on a busy machine any input may
have to wait. The exit status is 1 if there is such an input, or if a target did not
run.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "opgen" / "fuzz"
# Longer inputs are slow and find little else.
MAX_BYTES = {"schema": 1024, "yaml": 4096, "pipeline": 8192, "stubs": 8192}
SEEDS = 100  # of each kind
SLOW = 10  # seconds for one input
DICTIONARIES = {"stubs": ("pipeline", "stubs")}


@dataclass(frozen=True)
class Result:
    """What became of a target."""

    name: str
    executions: int
    seconds: float
    covered: int
    edges: int
    corpus: int
    crashes: list[Path]
    status: int

    @property
    def ok(self) -> bool:
        """Whether it ran and nothing ended it."""
        return self.status == 0 and self.executions > 0 and not self.crashes


def operators() -> list[str]:
    """Return the entries of the installed native_functions.yaml, each as its text."""
    found = importlib.util.find_spec("torchgen")
    if found is None or found.origin is None:
        return []
    packaged = Path(found.origin).parent / "packaged" / "ATen" / "native"
    text = (packaged / "native_functions.yaml").read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=- func: )", text)[1:]
    return [re.sub(r"(?m)^ *#.*\n", "", entry) for entry in entries]


def seeds(name: str, entries: list[str]) -> list[str]:
    """Return about SEEDS inputs for a target, spread evenly over the operators."""
    step = max(1, len(entries) // SEEDS)
    if name == "schema":
        schemas = (entry.splitlines()[0].partition("- func: ")[2] for entry in entries)
        return list(schemas)[::step]
    if name in ("yaml", "pipeline"):
        # Neighbours, because variants of one operator are.
        blocks = ["".join(entries[i : i + 3]) for i in range(0, len(entries), step)]
        words = (
            ["", "aggregated", "unboxing", "autograd"] if name == "pipeline" else [""]
        )
        return [f"# {words[i % len(words)]}\n{block}" for i, block in enumerate(blocks)]
    return []


def prepare(name: str, work: Path, fresh: bool) -> Path:
    """Return the folder that collects what `name` finds, with seeds in it."""
    folder = work / name
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds(name, operators()):
        data = seed.encode()
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
    return folder


def dictionary(name: str, work: Path) -> Path:
    """Return a file with the words that inputs of `name` are made of."""
    parts = DICTIONARIES.get(name, (name,))
    text = "".join((SOURCES / f"{part}.dict").read_text() for part in parts)
    path = work / f"{name}.dict"
    path.write_text(text)
    return path


def last(pattern: str, text: str) -> int:
    """Return the number that the last match holds, 0 if there is none."""
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def is_fast(program: Path, data: Path) -> bool:
    """Whether the target runs the input in less than SLOW seconds, then removed."""
    command = [str(program), str(data)]
    limit = (SLOW, SLOW)  # of the processor's time, not of the clock
    done = subprocess.run(
        command,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
    )
    if done.returncode == 0:
        data.unlink()
    return done.returncode == 0


def fuzz(name: str, build: Path, seconds: int, fresh: bool) -> Result:
    """Run one target and read what it says."""
    work = build / "fuzz"
    work.mkdir(parents=True, exist_ok=True)
    folder = prepare(name, work / "corpus", fresh)
    program = build / "tests" / "opgen" / "fuzz" / f"opgen_fuzz_{name}"
    before = set(work.glob(f"{name}-*"))
    log = work / f"{name}.log"
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as temp:
        command = [
            str(program),
            f"-max_total_time={seconds}",
            f"-max_len={MAX_BYTES[name]}",
            f"-report_slow_units={SLOW}",
            "-timeout=300",
            "-rss_limit_mb=3000",
            "-print_final_stats=1",
            f"-dict={dictionary(name, work)}",
            f"-artifact_prefix={work}/{name}-",
            str(folder),
            str(SOURCES / "corpus" / name),
        ]
        start = time.monotonic()
        with log.open("w", encoding="utf-8") as output:
            status = subprocess.run(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "TMPDIR": temp},
            ).returncode
        elapsed = time.monotonic() - start
    text = log.read_text(encoding="utf-8", errors="replace")
    crashes = sorted(set(work.glob(f"{name}-*")) - before)
    crashes = [
        p for p in crashes if "-slow-unit-" not in p.name or not is_fast(program, p)
    ]
    if status != 0 or crashes:
        print(f"--- {name}, the end of {log}\n{text[-4000:]}", flush=True)
    return Result(
        name=name,
        executions=last(r"stat::number_of_executed_units: +(\d+)", text),
        seconds=elapsed,
        covered=last(r" cov: (\d+)", text),
        edges=last(r"Loaded \d+ modules +\((\d+) inline", text),
        corpus=last(r" corp: (\d+)", text),
        crashes=crashes,
        status=status,
    )


def table(results: list[Result]) -> str:
    """Return the summary; its last line counts the targets."""
    lines = [
        "",
        f"{'target':<10} {'result':<7} {'executions':>11} {'per s':>7} "
        f"{'edges covered':>16} {'corpus':>7} {'crashes':>8}",
    ]
    for r in results:
        verdict = "passed" if r.ok else "FAILED"
        rate = r.executions / r.seconds if r.seconds else 0
        edges = f"{r.covered} of {r.edges}"
        lines.append(
            f"{r.name:<10} {verdict:<7} {r.executions:>11} {rate:>7.0f} "
            f"{edges:>16} {r.corpus:>7} {len(r.crashes):>8}"
        )
    lines += [f"crash: {path}" for r in results for path in r.crashes]
    failed = sum(not r.ok for r in results)
    lines.append(f"fuzz: {len(results) - failed} passed, {failed} failed")
    return "\n".join(lines)


def main() -> int:
    """Run the targets; return 1 if one failed, 2 if one is unknown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=1800, help="for each target")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "fuzz")
    arguments = parser.parse_args()
    known = sorted(path.name for path in (SOURCES / "corpus").iterdir())
    unknown = [name for name in arguments.targets if name not in known]
    if unknown:
        print(f"error: no target is called {unknown[0]!r}; there are: {known}")
        return 2
    names = arguments.targets or known
    build = arguments.build.resolve()
    jobs = int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        results = list(
            pool.map(
                lambda name: fuzz(name, build, arguments.seconds, arguments.fresh),
                names,
            )
        )
    print(table(results))
    return 0 if all(result.ok for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
