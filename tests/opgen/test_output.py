"""What cannot be written is an error: standard output, and files before others."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from .program import opgen_program

FUNCTIONS = """
- func: f(Tensor self) -> Tensor
  dispatch: {CPU: f_cpu}
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
"""
GENERATORS = {
    "aten": ["-s", "in/new", "-d", "out", "--aoti-install-dir", "out"],
    "backend": ["-s", "in/new", "-d", "out", "--header", "a.h", "--namespace", "my"],
    "autograd": ["-s", "in/new", "-d", "out", "--autograd", "autograd"],
    "unboxing": ["-s", "in/new", "-d", "out"],
    "stubs": ["--torchgen", "torchgen", "-s", "be.yaml", "-o", "out"],
}
REPORTS = [
    ["--help"],
    ["--version"],
    *([name, "--help"] for name in (*GENERATORS, "check", "explain", "diff")),
    *([name, *flags, "--list"] for name, flags in GENERATORS.items()),
    *([name, *flags, "--sink", "hash"] for name, flags in GENERATORS.items()),
    ["check", "in/new/native/native_functions.yaml"],
    ["check", "--json", "in/new/native/native_functions.yaml"],
    ["check", "--format", "sarif", "in/new/native/native_functions.yaml"],
    ["check", "--json", "missing.yaml"],
    ["explain", "-s", "in/new", "f"],
    ["explain", "-s", "in/new", "f", "--json"],
    ["explain", "-s", "in/new", "g", "--json"],
    ["diff", "in/old", "in/new"],
    ["diff", "in/old", "in/new", "--json"],
    ["diff", "in/old", "missing", "--json"],
]


@pytest.fixture(scope="module")
def trees(tmp_path_factory) -> Path:
    """A folder with all that the commands read."""
    import torchgen

    folder = tmp_path_factory.mktemp("trees")
    shipped = Path(torchgen.__file__).parent
    (folder / "torchgen").symlink_to(shipped)
    (folder / "aoti").symlink_to(shipped / "aoti")
    (folder / "autograd").mkdir()
    (folder / "autograd/derivatives.yaml").write_text("[]\n")
    templates = shipped / "packaged/autograd/templates"
    (folder / "autograd/templates").symlink_to(templates)
    (folder / "be.yaml").write_text(
        "backend: XLA\ncpp_namespace: my\nsupported: [abs]\n"
    )
    older = FUNCTIONS.partition("- func: f.out")[0]
    for name, functions in (("old", older), ("new", FUNCTIONS)):
        tree = folder / "in" / name
        (tree / "native").mkdir(parents=True)
        (tree / "templates").symlink_to(shipped / "packaged/ATen/templates")
        tags = (shipped / "packaged/ATen/native/tags.yaml").read_text()
        (tree / "native/tags.yaml").write_text(tags)
        (tree / "native/native_functions.yaml").write_text(functions)
    return folder


def run(folder: Path, arguments: list[str], out: int) -> subprocess.CompletedProcess:
    return subprocess.run(
        [opgen_program(), *arguments],
        cwd=folder,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("arguments", REPORTS, ids=" ".join)
def test_a_report_that_cannot_be_written_is_an_error(trees, arguments):
    as_usual = run(trees, arguments, subprocess.PIPE)
    assert as_usual.stdout, as_usual.stderr
    with Path("/dev/full").open("wb") as full:
        done = run(trees, arguments, full.fileno())
    assert done.returncode == 2
    assert "\nerror: cannot write standard output: " in "\n" + done.stderr


def test_a_closed_output_is_an_error_only_for_what_writes_to_it(trees, tmp_path):
    program = str(opgen_program())
    command = ["sh", "-c", 'exec "$0" "$@" >&-', program]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert version.returncode == 2
    assert version.stderr.startswith("error: cannot write standard output: ")
    flags = [str(tmp_path) if f == "out" else f for f in GENERATORS["backend"]]
    done = subprocess.run(
        [*command, "backend", *flags], cwd=trees, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("obstacle", ["output", "manifest", "depfile"])
def test_nothing_is_written_if_one_file_cannot_be(trees, tmp_path, name, obstacle):
    for entry in trees.iterdir():
        (tmp_path / entry.name).symlink_to(entry)
    flags = [name, *GENERATORS[name], "--manifest", "manifest", "--depfile", "deps.d"]
    listed = run(tmp_path, [*flags, "--list"], subprocess.PIPE).stdout.splitlines()
    outputs = [line.partition(" ")[2] for line in listed if line.startswith("output")]
    blocked = {"output": outputs[-1], "manifest": "manifest", "depfile": "deps.d"}
    (tmp_path / blocked[obstacle]).mkdir(parents=True)
    before = files_below(tmp_path)
    done = run(tmp_path, flags, subprocess.PIPE)
    assert done.returncode == 1
    assert f"error: cannot write '{blocked[obstacle]}': Is a directory" in done.stderr
    assert files_below(tmp_path) == before
    (tmp_path / blocked[obstacle]).rmdir()
    assert run(tmp_path, flags, subprocess.PIPE).returncode == 0
    assert {*outputs, "manifest", "deps.d"} <= files_below(tmp_path)


def files_below(folder: Path) -> set[str]:
    found = set()
    for root, folders, files in os.walk(folder):
        for entry in [*folders, *files]:
            found.add(str((Path(root) / entry).relative_to(folder)))
    return found
