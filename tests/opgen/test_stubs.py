"""`opgen stubs` against torchgen.gen_backend_stubs; see oracles/stubs.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .program import opgen_program

ORACLE = Path(__file__).parent / "oracles" / "stubs.py"
# Fewer would mean that part of the table was not run.
LEAST = {"compare": 40, "refuse": 70, "beyond": 2, "implement": 15}


@pytest.mark.parametrize("kind", LEAST)
def test_agrees_with_torchgen(kind):
    done = subprocess.run(
        [sys.executable, ORACLE, "--opgen", opgen_program(), "--checks", kind],
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    total = re.search(r"^(\d+) descriptions, (\d+) failures$", done.stdout, re.M)
    assert total, done.stdout[-2000:] + done.stderr[-2000:]
    wrong = [x for x in done.stdout.splitlines() if not re.search(r"equal|ok|^ ", x)]
    assert done.returncode == 0, wrong
    assert int(total[1]) >= LEAST[kind]
