"""tools/check_sizes.py on files that are just short enough, and just too long."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("lizard", reason="lizard is a requirement of `make lint`")

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_sizes.py"


def check(path):
    return subprocess.run([sys.executable, TOOL, path], capture_output=True, text=True)


def function(lines):
    return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"


@pytest.mark.parametrize(("lines", "status"), [(600, 0), (601, 1)])
@pytest.mark.parametrize("name", ["a.h", "a.cpp", "a.py", "a.cmake"])
def test_the_length_of_a_file(tmp_path, name, lines, status):
    path = tmp_path / name
    path.write_text("\n" * lines)
    result = check(path)
    assert result.returncode == status
    assert ("601 lines (at most 600)" in result.stdout) == bool(status)


@pytest.mark.parametrize(("lines", "status"), [(60, 0), (61, 1)])
def test_the_length_of_a_function(tmp_path, lines, status):
    path = tmp_path / "a.cpp"
    path.write_text(function(lines))
    result = check(path)
    assert result.returncode == status
    assert ("f has 61 lines (at most 60)" in result.stdout) == bool(status)


@pytest.mark.parametrize(("lines", "status"), [(60, 0), (61, 1)])
def test_the_length_of_a_python_function(tmp_path, lines, status):
    path = tmp_path / "a.py"
    path.write_text("def f():\n" + "    g()\n" * (lines - 1))
    assert check(path).returncode == status


def test_an_exemption_needs_a_reason(tmp_path):
    path = tmp_path / "a.cpp"
    path.write_text(function(99).replace("g();", "g();  // NOLINT(size): a table", 1))
    assert check(path).returncode == 0
    path.write_text(function(99).replace("g();", "g();  // NOLINT", 1))
    assert check(path).returncode == 1
