"""Interleaved timing of a case on infini and on the CPU, in one process.

Each repeat times both sides one after the other, and the ratio is taken per repeat, so
that a change of clock speed or of load hits both. Inputs are made anew several times,
since where memory happens to lie moves a figure by a tenth. Figures are medians with
quartiles.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import torch

from bench.cases import Case

_MIN_BLOCK_S = 0.004
_PLACEMENTS = 7


@dataclass(frozen=True)
class Figure:
    """One case at one thread count in one run. Times in microseconds."""

    group: str
    name: str
    threads: int
    infini_us: float
    cpu_us: float
    ratio: float
    ratio_low: float  # lower quartile
    ratio_high: float  # upper quartile
    repeats: int
    load: float  # the system's one-minute load average
    target: float | None
    bytes_moved: int

    @property
    def meets_target(self) -> bool:
        """Whether the ratio is within the target; true without one."""
        return self.target is None or self.ratio <= self.target

    def to_json(self) -> dict[str, object]:
        """Return the fields as plain JSON types."""
        return asdict(self)


def _time(function: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - begin) / count


def _block_size(function: Callable[[], object]) -> int:
    """Return how many calls make a block long enough for the clock."""
    function()
    once = max(_time(function, 3), 1e-7)
    return max(1, min(2000, int(_MIN_BLOCK_S / once)))


def in_turns(
    infini: Callable[[], float], cpu: Callable[[], float], repeats: int
) -> list[tuple[float, float]]:
    """Return what both say, called one after the other, each first every other time."""
    pairs = []
    for repeat in range(repeats):
        if repeat % 2 == 0:
            on_infini, on_cpu = infini(), cpu()
        else:
            on_cpu, on_infini = cpu(), infini()
        pairs.append((on_infini, on_cpu))
    return pairs


def ratio_quartiles(pairs: list[tuple[float, float]]) -> list[float]:
    """Return the lower quartile, median and upper quartile of infini / CPU."""
    ratios = [on_infini / on_cpu for on_infini, on_cpu in pairs]
    return statistics.quantiles(ratios, n=4, method="inclusive")


def _time_pairs(case: Case, repeats: int) -> list[tuple[float, float]]:
    """Return seconds per call on infini and on the CPU, with inputs of their own."""
    infini, cpu = case.make("infini"), case.make("cpu")
    count = _block_size(cpu)
    _time(infini, count)
    return in_turns(lambda: _time(infini, count), lambda: _time(cpu, count), repeats)


def measure(case: Case, threads: int, repeats: int) -> Figure:
    """Time one case; at least 21 repeats make a figure that decides something."""
    torch.set_num_threads(threads)
    pairs = []
    with torch.no_grad():
        for placement in range(_PLACEMENTS):
            done = len(pairs)
            share = (repeats - done) // (_PLACEMENTS - placement)
            pairs += _time_pairs(case, share)
    low, middle, high = ratio_quartiles(pairs)
    return Figure(
        group=case.group,
        name=case.name,
        threads=threads,
        infini_us=statistics.median(pair[0] for pair in pairs) * 1e6,
        cpu_us=statistics.median(pair[1] for pair in pairs) * 1e6,
        ratio=middle,
        ratio_low=low,
        ratio_high=high,
        repeats=repeats,
        load=os.getloadavg()[0],
        target=case.target,
        bytes_moved=case.bytes_moved,
    )
