"""`opgen explain` on the operators of the installed PyTorch."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from . import error_corpus
from .program import opgen_program

TAG_LIST = re.compile(r"\s*const std::vector<at::Tag> tags_")


def run(*arguments, status=0):
    command = [str(opgen_program()), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == status, result.stderr
    return result


@pytest.fixture(scope="module")
def source():
    return error_corpus.torchgen_folder() / "packaged" / "ATen"


def explained(source, name, *flags):
    return json.loads(run("explain", "-s", source, name, "--json", *flags).stdout)[
        "operators"
    ]


def test_head(source):
    (found,) = explained(source, "aten::add.Tensor")
    assert found["name"] == "aten::add.Tensor"
    assert found["schema"].startswith("add.Tensor(Tensor self, Tensor other")
    assert found["structured"] == "delegates to add.out"
    assert found["dispatch"]["SparseCPU"] == "at::native::add_sparse"
    assert found["variants"] == ["function", "method"]
    text = Path(found["file"]).read_text(encoding="utf-8")
    line = text.splitlines()[found["line"] - 1]
    assert line == f"- func: {found['schema']}"
    assert set(found["family"]) == {"add.Tensor", "add_.Tensor", "add.out"}


def test_names_of_operators(source):
    (short,) = explained(source, "add.Tensor")
    assert short["name"] == "aten::add.Tensor"
    assert {entry["name"] for entry in explained(source, "add")} == {
        "aten::add.Tensor",
        "aten::add.Scalar",
        "aten::add.out",
        "aten::add.Scalar_out",
    }
    unknown = run("explain", "-s", source, "aten::ad.Tensor", status=1)
    assert "did you mean" in unknown.stderr


def test_generated_operators_say_what_they_come_from(source):
    (found,) = explained(source, "add.Scalar_out")
    assert found["generatedFrom"] == "add_.Scalar"
    assert "generated" in found["tags"]


def test_lines_are_shown(source):
    text = run("explain", "-s", source, "add.Tensor", "--lines").stdout
    assert re.search(
        r"ops/add_ops\.h:\d+-\d+\n      \| struct TORCH_API add_Tensor", text
    )
    assert "static at::Tensor add(" not in text


def generate(source, folder):
    run(
        *("aten", "-s", source, "-d", folder / "build/aten/src/ATen"),
        *("--aoti-install-dir", folder / "torch/csrc/inductor/aoti_torch/generated"),
        *("--per-operator-headers", "--no-manifest"),
    )


def texts(folder):
    """The lines of all files, without what depends on the lines before.

    A list of tags is numbered, and declared where a file first uses it.
    """
    return {
        str(path.relative_to(folder)): [
            re.sub(r"tags_\d+", "tags_", line.lstrip(" "))
            if not TAG_LIST.match(line)
            else ""
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for path in folder.rglob("*")
        if path.is_file()
    }


def without_operators(source, names, folder):
    """The inputs without some entries of native_functions.yaml."""
    (folder / "ATen" / "native").mkdir(parents=True)
    (folder / "ATen" / "templates").symlink_to(source / "templates")
    (folder / "ATen" / "native" / "tags.yaml").symlink_to(source / "native/tags.yaml")
    text = (source / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=- func: )", text)
    kept = [e for e in entries if re.split(r"[( ]", e[8:], maxsplit=1)[0] not in names]
    assert len(entries) - len(kept) == len(names)
    path = folder / "ATen" / "native" / "native_functions.yaml"
    path.write_text("".join(kept), encoding="utf-8")
    assert yaml.safe_load(path.read_text(encoding="utf-8"))
    (folder.parent / "aoti").mkdir(exist_ok=True)
    fallback = folder.parent / "aoti" / "fallback_ops.py"
    fallback.write_bytes((source / "../../aoti/fallback_ops.py").read_bytes())
    return folder / "ATen"


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    generate(source, folder)
    return texts(folder)


@pytest.mark.parametrize(
    "names",
    [
        ["abs", "abs_", "abs.out"],
        ["add.Tensor", "add_.Tensor", "add.out"],
        ["bitwise_or.Scalar_Tensor"],
        ["_sobol_engine_draw"],
    ],
    ids=lambda names: names[0],
)
def test_the_lines_are_those_that_go_with_the_operators(source, whole, names, tmp_path):
    generate(without_operators(source, names, tmp_path / "packaged"), tmp_path / "left")
    left = texts(tmp_path / "left")
    family = [explained(source, name)[0] for name in names]
    also = [n for n in family[0]["family"] if n not in names]
    family += [explained(source, name)[0] for name in also]
    gone: dict[str, set[int]] = {}
    for entry in family:
        for file in entry["files"]:
            for lines in file["ranges"]:
                numbers = range(lines["first"] - 1, lines["last"])
                gone.setdefault(file["path"], set()).update(numbers)
    compared = 0
    for path, lines in whole.items():
        rest = [line for i, line in enumerate(lines) if i not in gone.get(path, ())]
        expected = left.get(path, [])
        # In any order: it follows the order in which operators name dispatch keys.
        assert sorted(filter(None, rest)) == sorted(filter(None, expected)), path
        compared += path in gone
    assert compared > 10
    elsewhere = ("autograd", "Unboxing", "Unboxed")  # of other subcommands
    for path in gone.keys() - whole.keys():
        assert any(part in path for part in elsewhere), path
