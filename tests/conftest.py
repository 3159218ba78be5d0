"""What all Python tests share: the device fixture, `needs` marks, child processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(params=["infini", "cpu"])
def device(request) -> str:
    """The device under test; the CPU is the control of every test that takes it."""
    if request.param == "infini":
        import torch_infini  # noqa: F401
    return request.param


@pytest.fixture
def module(device):
    """torch.infini, or torch.cpu for the control."""
    return torch.get_device_module(device)


@pytest.fixture
def run_python():
    """Runs code in a fresh interpreter; `check` turns a failure into the test's."""

    def run(code, *, check=True, timeout=120, cwd=None, **environment):
        values = os.environ | {k: str(v) for k, v in environment.items()}
        result = subprocess.run(
            [sys.executable, "-c", code],
            env={k: v for k, v in values.items() if v != "<unset>"},
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=cwd,
        )
        if check and result.returncode != 0:
            pytest.fail(
                f"exit code {result.returncode}\n{result.stdout}{result.stderr}"
            )
        return result

    return run


@cache
def _backend() -> dict:
    import torch_infini  # noqa: F401

    return torch.infini.runtime_backend()


# What a test may need, by the name in its mark. A stack or machine without it skips the
# test for that reason alone, and the run prints how often each happened.
REQUIREMENTS = {
    "embedded": (
        "both embedded libraries",
        lambda: _backend()["embedded"],
    ),
    "embedded-rt": (
        "the extension table of the embedded InfiniRT",
        lambda: _backend()["runtime"]["extension_version"] is not None,
    ),
    "embedded-ops": (
        "the extension table of the embedded InfiniOps",
        lambda: _backend()["operators"]["extension_version"] is not None,
    ),
    "host-access": (
        "device memory that the host can address",
        lambda: "host_access" in _backend()["capabilities"],
    ),
    "two-devices": (
        "two infini devices",
        lambda: torch.infini.device_count() >= 2,
    ),
    "cuda": ("CUDA", torch.cuda.is_available),
}


def pytest_collection_modifyitems(config, items):
    """Skips tests whose needs are not met and refuses names that nobody defined."""
    for item in items:
        for mark in item.iter_markers("needs"):
            (name,) = mark.args
            if name not in REQUIREMENTS:
                raise pytest.UsageError(
                    f"{item.nodeid}: needs({name!r}) is none of {sorted(REQUIREMENTS)}"
                )
            meaning, is_met = REQUIREMENTS[name]
            if not is_met():
                item.add_marker(pytest.mark.skip(reason=f"needs {meaning}"))
                break


def pytest_terminal_summary(terminalreporter):
    """Prints how many tests each mark skipped.

    Counted from the reports, which come from other processes with pytest-xdist.
    """
    names = {f"Skipped: needs {r[0]}": name for name, r in REQUIREMENTS.items()}
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = (r.longrepr[2] for r in skipped if isinstance(r.longrepr, tuple))
    counts = Counter(names[reason] for reason in reasons if reason in names)
    for name, count in sorted(counts.items()):
        terminalreporter.write_line(f"skipped by needs({name!r}): {count}")
