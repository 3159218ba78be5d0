"""Timing of child processes, alternating between what is compared.

Every repeat runs each case once, in turn, so that a change of clock speed or of load
hits all of them. Figures are medians with quartiles. The peak memory is the child's;
this process must stay small, since a child begins with its parent's.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

# More than twice a run's peak and the files that it writes.
TOUCH = """
import mmap
memory = mmap.mmap(-1, 512 << 20, flags=mmap.MAP_PRIVATE)
memory.madvise(mmap.MADV_HUGEPAGE)
for place in range(0, len(memory), mmap.PAGESIZE):
    memory[place] = 1
"""


@dataclass(frozen=True)
class Case:
    """A command and how it is run."""

    name: str
    command: list[str]
    threads: int = 1
    cold: bool = False  # with nothing of the inputs in the page cache
    target_s: float | None = None
    target_mb: float | None = None
    # Whose time is reported by the command itself, in the last line it prints.
    own_clock: bool = False
    prepare: Callable[[], None] | None = None
    environment: dict[str, str] = field(default_factory=dict)


@dataclass
class Sample:
    """One run."""

    wall_s: float
    user_s: float
    system_s: float
    peak_mb: float


@dataclass(frozen=True)
class Figure:
    """One case of a benchmark. Times in milliseconds."""

    name: str
    threads: int
    cold: bool
    median_ms: float
    low_ms: float  # lower quartile
    high_ms: float  # upper quartile
    user_ms: float
    system_ms: float
    peak_mb: float
    repeats: int
    load: float  # the system's one-minute load average
    target_ms: float | None
    target_mb: float | None

    @property
    def meets_target(self) -> bool:
        """Whether time and memory are within the targets; true without any."""
        slow = self.target_ms is not None and self.median_ms > self.target_ms
        large = self.target_mb is not None and self.peak_mb > self.target_mb
        return not slow and not large

    def to_json(self) -> dict[str, object]:
        """Return the fields as plain JSON types."""
        return {**asdict(self), "meets_target": self.meets_target}


class PageCache:
    """Drops the inputs of a run from the page cache, and nothing else.

    What other runs have written stays: to wait until it is on the disk takes seconds.
    """

    def __init__(self, files: list[Path]) -> None:
        """Write the files to the disk, so that they can be dropped."""
        self.files = files
        for path in files:
            with open(path, "rb") as stream:
                os.fsync(stream.fileno())

    def drop(self) -> None:
        """Drop them."""
        for path in self.files:
            with open(path, "rb") as stream:
                os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _touch_memory() -> None:
    """Get the memory that a run may need from the host, in large pages.

    A virtual machine may give free memory back; a run would be charged for every page
    that comes again, ten times what it takes to write one, and for the search for
    large pages where memory is in pieces. Done by another process, since the peak of
    this one would count as its children's.
    """
    subprocess.run([sys.executable, "-S", "-c", TOUCH], check=True)


def _run(case: Case) -> Sample:
    _touch_memory()
    with subprocess.Popen(
        case.command,
        env={**os.environ, **case.environment},
        stdout=subprocess.PIPE if case.own_clock else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as child:
        begin = time.perf_counter()
        out = child.stdout.read() if child.stdout else b""
        said = child.stderr.read() if child.stderr else b""
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{case.command} failed:\n{said.decode(errors='replace')[-2000:]}")
    if case.own_clock:
        wall = float(out.split()[-1])
    peak = usage.ru_maxrss / 1024
    return Sample(wall, usage.ru_utime, usage.ru_stime, peak)


def _quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _figure(case: Case, samples: list[Sample]) -> Figure:
    low, middle, high = _quartiles([sample.wall_s * 1e3 for sample in samples])
    return Figure(
        name=case.name,
        threads=case.threads,
        cold=case.cold,
        median_ms=middle,
        low_ms=low,
        high_ms=high,
        user_ms=statistics.median(s.user_s for s in samples) * 1e3,
        system_ms=statistics.median(s.system_s for s in samples) * 1e3,
        peak_mb=max(sample.peak_mb for sample in samples),
        repeats=len(samples),
        load=os.getloadavg()[0],
        target_ms=None if case.target_s is None else case.target_s * 1e3,
        target_mb=case.target_mb,
    )


def measure(cases: list[Case], repeats: int, cache: PageCache) -> list[Figure]:
    """Run every case `repeats` times, in turn, every other time backwards."""
    samples: list[list[Sample]] = [[] for _ in cases]
    for repeat in range(repeats):
        order = list(enumerate(cases))
        for index, case in order if repeat % 2 == 0 else reversed(order):
            label = f"{repeat + 1}/{repeats}: {case.name}, {case.threads} thr"
            print(f"\r\033[K{label}", end="", file=sys.stderr, flush=True)
            if case.prepare:
                case.prepare()
            if case.cold:
                cache.drop()
            samples[index].append(_run(case))
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    return [_figure(case, each) for case, each in zip(cases, samples, strict=True)]
