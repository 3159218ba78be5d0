"""Which commands tools/check_torch_headers.py takes, and what it makes of them."""

import importlib.util
import json
import os
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_torch_headers.py"
spec = importlib.util.spec_from_file_location("check_torch_headers", TOOL)
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)

OTHER = Path("/other/torch/include")


def entry(source: Path, *, torch: bool, compiler: str = "/usr/bin/c++") -> dict:
    include = "-isystem /site-packages/torch/include" if torch else ""
    command = f"{compiler} -O2 {include} -o a.o -c {source}"
    return {"file": str(source), "command": command, "directory": "/build"}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "ROOT", tmp_path)
    return tmp_path


def write(root: Path, name: str, entries: list[dict], age: float) -> None:
    folder = root / "build" / name
    folder.mkdir(parents=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    os.utime(folder, (age, age))


def test_a_newer_folder_that_compiles_csrc_without_pytorch_is_not_taken(root):
    source = root / "csrc" / "memory" / "block_cache.cpp"
    extension = [entry(source, torch=True), entry(root / "csrc" / "a.cpp", torch=True)]
    write(root, "cp311", extension, age=1)
    write(root, "asan", [entry(source, torch=False)], age=2)
    assert check.newest_commands(None) == extension


def test_of_two_extensions_the_newest_is_taken(root):
    old = entry(root / "csrc" / "a.cpp", torch=True)
    new = entry(root / "csrc" / "b.cpp", torch=True)
    write(root, "cp311", [old], age=1)
    write(root, "cp312", [new], age=2)
    assert check.newest_commands(None) == [new]


def test_no_extension_names_what_to_run(root):
    write(root, "asan", [entry(root / "csrc" / "a.cpp", torch=False)], age=1)
    with pytest.raises(check.CheckError, match="make build"):
        check.newest_commands(None)


@pytest.mark.parametrize(
    "compiler", ["c++", "/usr/bin/g++-12", "/usr/bin/ccache clang++-19", "icpx"]
)
def test_the_command_checks_syntax_with_the_other_headers(root, compiler):
    source = root / "csrc" / "a.cpp"
    words = check.syntax_command(entry(source, torch=True, compiler=compiler), OTHER)
    assert words == [
        compiler.split()[-1], "-O2", "-isystem", str(OTHER), str(source),
        "-fsyntax-only",
    ]  # fmt: skip
