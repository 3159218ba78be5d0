"""The summary of tools/run_tests.py."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_tests.py"
spec = importlib.util.spec_from_file_location("run_tests", TOOL)
run_tests = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = run_tests
spec.loader.exec_module(run_tests)


def step(code):
    return run_tests.Step("example", [sys.executable, "-c", code])


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("===== 3 passed, 1 skipped in 0.12s =====", "3 passed, 1 skipped"),
        ("3 passed, 1 skipped in 0.12s", "3 passed, 1 skipped"),
        ("===== 1 failed in 65.01s (0:01:05) =====", "1 failed"),
        (
            "100% tests passed, 0 tests failed out of 7",
            "100% tests passed, 0 tests failed out of 7",
        ),
        ("a: 2 passed, 0 failed", "a: 2 passed, 0 failed"),
        ("compiling", ""),
    ],
)
def test_counts_are_found(line, counts):
    assert run_tests.run(step(f"print({line!r})")).counts == counts


def test_a_failure_is_counted():
    results = [run_tests.run(step("pass")), run_tests.run(step("raise SystemExit(3)"))]
    assert [result.status for result in results] == [0, 3]
    assert run_tests.table(results).splitlines()[-1] == "1 passed, 1 failed"


def test_an_unknown_step():
    result = subprocess.run(
        [sys.executable, TOOL, "--only", "nothing"], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "no step is called 'nothing'" in result.stdout
