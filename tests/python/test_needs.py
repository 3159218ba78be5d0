"""The mark `needs(...)`: the only reason for a skip, counted and never misspelt."""

import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"


def run_pytest(folder, code):
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = needs(what): x\n")
    (folder / "test_it.py").write_text("import pytest\n" + code)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", folder],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_unmet_need_skips_and_is_counted(tmp_path):
    # A name of this test's own, so that the outcome does not depend on the machine.
    code = """
import conftest
conftest.REQUIREMENTS["moon"] = ("the moon", lambda: False)
conftest.REQUIREMENTS["air"] = ("air", lambda: True)

@pytest.mark.needs("moon")
def test_a(): assert False

@pytest.mark.needs("moon")
@pytest.mark.needs("air")
def test_b(): assert False

@pytest.mark.needs("air")
def test_c(): pass
"""
    result = run_pytest(tmp_path, code)
    assert "1 passed, 2 skipped" in result.stdout
    assert "needs the moon" in result.stdout
    assert "skipped by needs('moon'): 2" in result.stdout
    assert "needs('air')" not in result.stdout


def test_unknown_need_stops_the_run(tmp_path):
    result = run_pytest(tmp_path, "@pytest.mark.needs('typo')\ndef test_a(): pass\n")
    assert result.returncode == 4
    assert "needs('typo')" in result.stderr
    assert "embedded" in result.stderr
