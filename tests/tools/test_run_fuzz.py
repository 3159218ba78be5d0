"""tools/run_fuzz.py tells inputs that are slow from machines that are."""

import importlib.util
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_fuzz.py"
spec = importlib.util.spec_from_file_location("run_fuzz", TOOL)
run_fuzz = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = run_fuzz
spec.loader.exec_module(run_fuzz)


def program(folder, code):
    path = folder / "target"
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("code", "fast"),
    [
        ("import time; time.sleep(1.5)", True),
        ("while True: pass", False),
        ("raise SystemExit(1)", False),
    ],
)
def test_an_input_is_slow_by_the_time_of_the_processor(
    monkeypatch, tmp_path, code, fast
):
    monkeypatch.setattr(run_fuzz, "SLOW", 1)
    data = tmp_path / "schema-slow-unit-1"
    data.write_bytes(b"x")
    assert run_fuzz.is_fast(program(tmp_path, code), data) == fast
    assert data.exists() != fast
