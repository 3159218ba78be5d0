"""`opgen diff` on the inputs of the installed PyTorch, changed a little."""

from __future__ import annotations

import json
import subprocess

import pytest

from . import error_corpus
from .program import opgen_program
from .test_explain import generate, texts


def diff(*arguments, status):
    command = [str(opgen_program()), "diff", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == status, result.stdout + result.stderr
    return result


@pytest.fixture(scope="module")
def source():
    return error_corpus.torchgen_folder() / "packaged" / "ATen"


@pytest.fixture(scope="module")
def changed(source, tmp_path_factory):
    """A native_functions.yaml with another kernel, one operator less, one more."""
    text = (source / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    kernel = "    CPU, CUDA, MPS, MTIA: abs_out\n"
    assert kernel in text
    text = text.replace(kernel, kernel.replace("abs_out", "other_abs_out"))
    entry = text[text.index("- func: is_set_to(") :]
    entry = entry[: entry.index("- func: ", 1)]
    text = text.replace(entry, "")
    text += "\n- func: newest_thing(Tensor self) -> Tensor\n"
    path = tmp_path_factory.mktemp("changed") / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_equal_trees(source):
    assert diff(source, source, status=0).stdout == ""


def test_operators(source, changed):
    found = json.loads(diff("-s", source, source, changed, "--json", status=1).stdout)
    changes = {entry["name"]: entry for entry in found["operators"]}
    assert changes["aten::is_set_to"]["change"] == "removed"
    assert changes["aten::newest_thing"]["change"] == "added"
    assert changes["aten::abs.out"]["change"] == "changed"
    assert changes["aten::abs.out"]["fields"] == ["dispatch"]
    assert (
        "build/aten/src/ATen/RegisterCPUEverything.cpp"
        in (changes["aten::abs.out"]["files"])
    )
    assert set(changes) == {"aten::is_set_to", "aten::newest_thing", "aten::abs.out"}
    assert found["inputs"] == []


def test_files_are_those_that_differ(source, changed, tmp_path):
    found = json.loads(diff("-s", source, source, changed, "--json", status=1).stdout)
    listed = {
        entry["path"]: entry["change"]
        for entry in found["files"]
        if "autograd/generated" not in entry["path"] and "nbox" not in entry["path"]
    }
    tree = tmp_path / "packaged" / "ATen"
    (tree / "native").mkdir(parents=True)
    (tree / "templates").symlink_to(source / "templates")
    (tree / "native" / "tags.yaml").symlink_to(source / "native" / "tags.yaml")
    (tree / "native" / "native_functions.yaml").symlink_to(changed)
    (tmp_path / "aoti").symlink_to(source.parent.parent / "aoti")
    generate(source, tmp_path / "old")
    generate(tree, tmp_path / "new")
    old, new = texts(tmp_path / "old"), texts(tmp_path / "new")
    expected = {path: "removed" for path in old.keys() - new.keys()}
    expected |= {path: "added" for path in new.keys() - old.keys()}
    raw = {path for path in old.keys() & new.keys() if old[path] != new[path]}
    for path in old.keys() & new.keys():
        same = (tmp_path / "old" / path).read_bytes() == (
            tmp_path / "new" / path
        ).read_bytes()
        assert same or path in raw or listed.get(path) == "changed"
        if not same:
            expected[path] = "changed"
    assert listed == expected
    for entry in found["files"]:
        assert entry["linesAdded"] + entry["linesRemoved"] > 0


def test_text(source, changed):
    text = diff("-s", source, source, changed, status=1).stdout
    assert "  changed  aten::abs.out: dispatch\n" in text
    assert "  added    build/aten/src/ATen/ops/newest_thing.h (+" in text
    assert "  removed  build/aten/src/ATen/ops/is_set_to.h (+0 -" in text


def test_templates_that_differ_are_named(source, tmp_path):
    tree = tmp_path / "packaged" / "ATen"
    (tree / "templates").mkdir(parents=True)
    (tree / "native").symlink_to(source / "native")
    (tree.parent / "autograd").symlink_to(source.parent / "autograd")
    (tmp_path / "aoti").symlink_to(source.parent.parent / "aoti")
    for path in (source / "templates").iterdir():
        text = path.read_bytes()
        if path.name == "Functions.h":
            text += b"// more\n"
        (tree / "templates" / path.name).write_bytes(text)
    found = json.loads(diff(source, tree, "--json", status=1).stdout)
    assert found["inputs"] == ["templates/Functions.h"]
    assert found["operators"] == []
    assert [entry["path"] for entry in found["files"]] == [
        "build/aten/src/ATen/Functions.h"
    ]
    assert found["files"][0]["linesAdded"] == 1


def test_trouble(source, tmp_path):
    missing = diff(source, tmp_path / "none", status=2)
    assert "cannot read" in missing.stderr
    assert missing.stdout == ""
