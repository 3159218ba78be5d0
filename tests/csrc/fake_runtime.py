"""Tests that run on the fake runtime of tests/fake_rt.

    @on_fake(FAKE_RT_DEVICES=1)
    def test_something(fake): ...

The body runs in a process whose InfiniRT is the fake one; tests with the same settings
share the process. It fails if the body does, and if afterwards memory, events or
violations are left over. ``fake`` tells what the runtime counted. Other arguments must
be values that pickle.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import gc
import importlib
import os
import pickle
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import pytest
from cmake_target import ROOT, build_target

TESTS = Path(__file__).resolve().parents[1]
IN_WORKER = os.environ.get("INFINI_FAKE_WORKER") == "1"
TIMEOUT = 300


@functools.cache
def library_folder() -> Path:
    """The folder of the fake libinfinirt.so, built if needed.

    INFINI_FAKE_RT names a folder where it lies already.
    """
    given = os.environ.get("INFINI_FAKE_RT")
    if given:
        return Path(given)
    build = ROOT / "build" / "fake_rt"
    build_target(build, "fake_infinirt")
    return build / "tests" / "fake_rt"


def fake_environment(**settings) -> dict[str, str]:
    """The environment of a process on the fake runtime; None unsets a variable."""
    paths = [str(library_folder()), os.environ.get("LD_LIBRARY_PATH", "")]
    values = os.environ | {
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths)),
        "OMP_NUM_THREADS": "2",
    }
    for name in ("INFINI_FALLBACK", "INFINI_BACKEND", "INFINI_RT_STREAMS"):
        values.pop(name, None)
    values |= {name: str(value) for name, value in settings.items()}
    return {name: value for name, value in values.items() if value != "None"}


class Counters:
    """What the fake runtime of this process counted."""

    def __init__(self):
        import torch
        import torch_infini  # noqa: F401

        path = torch.infini.runtime_backend()["runtime"]["path"]
        self._library = ctypes.CDLL(path)
        for name in ("calls", "live_allocations", "live_events", "violations"):
            getattr(self._library, f"fake_rt_{name}").restype = ctypes.c_uint64

    def calls(self, function: str) -> int:
        return self._library.fake_rt_calls(function.encode())

    def live_allocations(self) -> int:
        return self._library.fake_rt_live_allocations()

    def live_events(self) -> int:
        return self._library.fake_rt_live_events()

    def violations(self) -> int:
        return self._library.fake_rt_violations()

    def settle(self) -> None:
        """Waits for everything and gives back what is only kept for reuse."""
        import torch

        gc.collect()
        for index in range(torch.infini.device_count()):
            torch.infini.synchronize(index)
        torch.infini.empty_cache()


class Worker:
    """A process on the fake runtime that runs test functions by name."""

    def __init__(self, settings):
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from csrc import fake_runtime; fake_runtime.serve()",
            ],
            env=fake_environment(INFINI_FAKE_WORKER="1", **settings),
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        atexit.register(self.close)

    def run(self, module, name, arguments):
        pickle.dump((module, name, arguments), self._process.stdin)
        self._process.stdin.flush()
        try:
            failure = pickle.load(self._process.stdout)
        except EOFError:
            code = self._process.wait(TIMEOUT)
            self._errors.seek(0)
            failure = f"the process ended with {code}\n{self._errors.read()[-4000:]}"
        if failure is not None:
            pytest.fail(failure, pytrace=False)

    def alive(self):
        return self._process.poll() is None

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()


_workers: dict[tuple, Worker] = {}


def _worker(settings) -> Worker:
    key = tuple(sorted(settings.items()))
    if key not in _workers or not _workers[key].alive():
        _workers[key] = Worker(settings)
    return _workers[key]


def on_fake(**settings):
    """Runs a test function in a process on the fake runtime with these settings."""

    def decorate(function):
        if IN_WORKER:
            return function

        @functools.wraps(function)
        def in_worker(*self, **arguments):
            arguments.pop("fake")
            name = function.__qualname__
            _worker(settings).run(function.__module__, name, arguments)

        return in_worker

    return decorate


def _call(module, name, arguments, fake):
    target = importlib.import_module(module)
    *classes, function = name.split(".")
    for part in classes:
        target = getattr(target, part)()
    getattr(target, function)(fake=fake, **arguments)


def _attempt(request, fake):
    events = fake.live_events()
    allocations = fake.live_allocations()
    violations = fake.violations()
    try:
        _call(*request, fake)
    except BaseException:  # noqa: BLE001: pytest's own failures are not Exceptions
        failure = traceback.format_exc()
        # The frames keep the test's tensors.
        sys.exc_info()[1].__traceback__ = None
        fake.settle()
        return failure
    fake.settle()
    left = {
        "allocations": fake.live_allocations() - allocations,
        "events": fake.live_events() - events,
        "violations": fake.violations() - violations,
    }
    return f"left over: {left}" if any(left.values()) else None


def serve():
    """The worker: requests come by standard input, failures go to standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    fake = Counters()
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        failure = _attempt(request, fake)
        pickle.dump(failure, answers)
        answers.flush()
