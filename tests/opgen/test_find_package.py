"""The installed package opgen: find_package, the library, opgen_generate."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .comparison import is_manifest
from .generators import installed_torchgen
from .program import ROOT

CONSUMER = Path(__file__).resolve().parent / "consumer"
FUNCTIONS = """\
- func: abs(Tensor self) -> Tensor
  variants: function, method
  dispatch:
    CPU: abs
  tags: pointwise

- func: abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: abs_out
  tags: pointwise
"""


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    strings = [str(part) for part in command]
    return subprocess.run(strings, capture_output=True, text=True, **options)


def succeed(*command: object, **options: object) -> str:
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A tree like torchgen/packaged/ATen with two operators."""
    shipped = installed_torchgen() / "torchgen"
    root = tmp_path_factory.mktemp("input")
    tree = root / "packaged" / "ATen"
    (tree / "native").mkdir(parents=True)
    (tree / "native" / "native_functions.yaml").write_text(FUNCTIONS)
    tags = shipped / "packaged/ATen/native/tags.yaml"
    shutil.copyfile(tags, tree / "native" / "tags.yaml")
    (tree / "templates").symlink_to(shipped / "packaged/ATen/templates")
    (root / "aoti").symlink_to(shipped / "aoti")
    return tree


@pytest.fixture
def aten(tree):
    """The tree as it was, after what other tests have done to it."""
    tags = installed_torchgen() / "torchgen/packaged/ATen/native/tags.yaml"
    for name, text in (
        ("native_functions.yaml", FUNCTIONS),
        ("tags.yaml", tags.read_text()),
    ):
        if (tree / "native" / name).read_text() != text:
            (tree / "native" / name).write_text(text)
    return tree


def configure(prefix: Path, aten: Path, build: Path, *flags: str):
    flags += (f"-DTORCH_INCLUDE={installed_torchgen() / 'torch' / 'include'}",)
    return run(
        *("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja"),
        *(f"-DCMAKE_PREFIX_PATH={prefix}", f"-DATEN={aten}", *flags),
    )


@pytest.fixture(scope="module")
def built(prefix, tree, tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    done = configure(prefix, tree, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    succeed("cmake", "--build", folder)
    return folder


@pytest.fixture
def build(built, aten):
    """The consumer's build folder, up to date."""
    succeed("cmake", "--build", built)
    return built


def test_library_generates_into_memory(prefix, build, aten, tmp_path):
    assert re.fullmatch(r"\d+ files, \d+ bytes\n", succeed(build / "in_memory", aten))
    flags = ["--per-operator-headers", "--aoti-install-dir", tmp_path / "aoti-out"]
    out = tmp_path / "out"
    succeed(prefix / "bin/opgen", "aten", "-s", aten, "-d", out, *flags)
    written = [p for p in [*out.rglob("*"), *(tmp_path / "aoti-out").rglob("*")]]
    written = [p for p in written if p.is_file() and not is_manifest(p.name)]
    # Paths inside the files do not depend on where they are written to.
    size = sum(path.stat().st_size for path in written)
    expected = f"{len(written)} files, {size} bytes\n"
    assert succeed(build / "in_memory", aten) == expected


def test_library_reports_errors(build, aten):
    yaml = aten / "native" / "native_functions.yaml"
    yaml.write_text(FUNCTIONS.replace("abs(Tensor self)", "abs(Tensr self)"))
    done = run(build / "in_memory", aten)
    assert done.returncode == 1
    assert "native_functions.yaml:1:13: error: unknown type 'Tensr'" in done.stderr


def test_generates_when_inputs_change_and_only_then(build, aten):
    yaml = aten / "native" / "native_functions.yaml"
    program, header = build / "uses_generated", build / "generated/core/enum_tag.h"
    before = int(succeed(program))
    assert "no work to do" in succeed("cmake", "--build", build)

    # A change of time alone: opgen runs, nothing is compiled.
    times = program.stat().st_mtime_ns, header.stat().st_mtime_ns
    yaml.touch()
    assert "opgen: generated" in succeed("cmake", "--build", build)
    assert times == (program.stat().st_mtime_ns, header.stat().st_mtime_ns)
    assert "no work to do" in succeed("cmake", "--build", build)

    # A tag that sorts before the others moves them by one.
    tags = aten / "native" / "tags.yaml"
    tags.write_text("- tag: a_first\n  desc: a new one\n" + tags.read_text())
    succeed("cmake", "--build", build)
    assert int(succeed(program)) == before + 1
    assert "no work to do" in succeed("cmake", "--build", build)


def test_error_ends_the_build_and_leaves_the_outputs(build, aten):
    header = build / "generated/core/enum_tag.h"
    text = header.read_text()
    yaml = aten / "native" / "native_functions.yaml"
    yaml.write_text(FUNCTIONS + "- func: broken(Tensr self) -> Tensor\n")
    done = run("cmake", "--build", build)
    assert done.returncode != 0
    assert "unknown type 'Tensr'; did you mean 'Tensor'?" in done.stdout + done.stderr
    assert header.read_text() == text


def test_missing_libyaml_names_the_package(prefix, aten, tmp_path):
    nowhere = [
        f"-DCMAKE_FIND_ROOT_PATH={tmp_path / 'nowhere'}",
        "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY",
    ]
    done = configure(prefix, aten, tmp_path / "build", *nowhere)
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "Install: sudo apt-get install libyaml-dev" in said


def test_other_minor_version_is_refused(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
        "find_package(opgen 0.2 REQUIRED)\n"
    )
    prefix_flag = f"-DCMAKE_PREFIX_PATH={prefix}"
    done = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", prefix_flag)
    assert done.returncode != 0
    assert '"opgen" that is compatible' in " ".join(done.stderr.split())


def test_example_of_the_docs_is_the_tested_one():
    code = (CONSUMER / "in_memory.cpp").read_text()
    assert code in (ROOT / "docs" / "opgen.md").read_text()
