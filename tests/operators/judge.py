"""Judges one case: two runs on the CPU first, then one on infini."""

import os
from collections import Counter
from dataclasses import dataclass, field

import torch

from tests.operators.outcome import Outcome, difference

PASSED = "passed"
FAILED = "failed"
# The CPU raises, and infini raises the same.
REJECTED = "rejected"
# Two runs on the CPU differ.
UNREPEATABLE = "cpu differs"
# PyTorch's own Python code asks for the name of the CPU.
BY_NAME = "by name"
# Sparse, quantized or nested tensors, which infini refuses by name.
REFUSED = "refused"
REFUSALS = (
    "infini has strided tensors only",
    "infini has no tensors of layout",
    "infini copies between strided tensors",
)
# Runs on the CPU before a difference counts: some of its kernels depend on what the
# memory held before, so that two runs agree by chance.
MORE_RUNS = 8
# Text kept of a failure.
LONGEST = 1500


@dataclass
class Report:
    """What became of the cases of one entry."""

    cases: dict = field(default_factory=dict)  # mode: Counter of statuses
    details: list = field(default_factory=list)
    comparisons: int = 0
    samples: int = 0

    def add(self, mode, status, place, detail=""):
        self.cases.setdefault(mode, Counter())[status] += 1
        if detail and len(self.details) < 12:
            self.details.append((status, f"{mode} {place}", detail[-LONGEST:]))


class Place:
    """Writes what is being run into a file, for whoever finds the process dead."""

    def __init__(self, path=os.devnull):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)

    def __call__(self, mode, place, side):
        os.pwrite(self.file, f"{mode}\t{place}\t{side}".ljust(160).encode(), 0)


class Judge:
    """Judges cases into `report`; `skip` holds modes that killed the CPU before."""

    def __init__(self, report, place=None, device="infini", skip=()):
        self.report = report
        self.place = place or Place()
        self.device = device
        self.skip = skip
        self.asks_for_cpu = False

    def __call__(self, mode, place, call, seed, grad=False):
        """Runs `call(twins)` three times; see Outcome."""
        if mode in self.skip:
            self.report.add(mode, UNREPEATABLE, place, "the CPU's kernel crashes")
            return
        self.place(mode, place, "cpu")
        expected = Outcome(call, "cpu", seed, grad)
        again = Outcome(call, "cpu", seed, grad)
        unlike = unrepeatable(again, expected)
        if unlike:
            self.report.add(mode, UNREPEATABLE, place, unlike)
            return
        self.place(mode, place, self.device)
        got = Outcome(call, self.device, seed, grad)
        found = got.wrong_device() or difference(got, expected, again)
        self.report.comparisons += len(got.everything()) + (got.error is not None)
        if not found:
            status = PASSED if expected.error is None else REJECTED
            self.report.add(mode, status, place)
        elif any(text in str(got.error) for text in REFUSALS):
            self.report.add(mode, REFUSED, place, str(got.error))
        else:
            self.place(mode, place, "cpu")
            unlike = ""
            for number in range(MORE_RUNS):
                leave_in_memory(number)
                unlike = unlike or unrepeatable(
                    Outcome(call, "cpu", seed, grad), expected
                )
            status = UNREPEATABLE if unlike else FAILED
            if status == FAILED and self.asks_for_cpu:
                status = BY_NAME
            self.report.add(mode, status, place, unlike or found)


def leave_in_memory(number):
    """Fills memory that the CPU's next kernels get with something else each time."""
    sizes = [2**power for power in range(3, 14)]
    for _ in range(8):
        kept = [torch.full((size,), number, dtype=torch.uint8) for size in sizes]
        kept.clear()


def unrepeatable(again, expected):
    """Why the CPU's second outcome differs; a warning may be given once only."""
    unlike = difference(again, expected, expected)
    return "" if unlike.startswith(("warned", "did not warn")) else unlike
