"""Malformed profiles of the API gap report."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "report_api_gaps.py"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "line 1, column 2: not JSON"),
        ("[]", "profile: expected an object, found list"),
        ('{"version": 1}', "profile: missing key 'candidate'"),
    ],
)
def test_malformed_profile(tmp_path, text, reason):
    profile = tmp_path / "profile.json"
    profile.write_text(text)
    report = tmp_path / "report.md"
    result = subprocess.run(
        [sys.executable, TOOL, "--profile", profile, "--markdown", report],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert f"error: invalid profile: {profile}" in result.stderr
    assert reason in result.stderr
    assert not report.exists()


def test_missing_profile(tmp_path):
    result = subprocess.run(
        [sys.executable, TOOL, "--profile", tmp_path / "none.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "none.json: cannot be read" in result.stderr
