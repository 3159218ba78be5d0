"""`opgen backend`, its core, and how the extension's build finds either."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .generators import installed_torchgen
from .program import ROOT, opgen_program

FLAGS = ["--header", "csrc/ops/host_call.h", "--namespace", "torch_infini"]
NAMES = ["operators.cpp", "operators_0.cpp", "operators_1.cpp"]


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=ROOT
    )


@pytest.fixture(scope="module")
def shipped() -> Path:
    return installed_torchgen() / "torchgen/packaged/ATen"


@pytest.fixture(scope="module")
def core() -> Path:
    """The generator that the newest build of the extension made."""
    found = sorted(
        ROOT.glob("build/*/opgen/opgen-core"), key=lambda p: p.stat().st_mtime
    )
    if not found:
        pytest.skip("the extension was built with an installed opgen")
    return found[-1]


@pytest.fixture(params=["program", "core"])
def generator(request) -> Path:
    """The program and its core in turn."""
    if request.param == "program":
        return opgen_program()
    return request.getfixturevalue("core")


def test_core_writes_what_the_program_writes(core, shipped, tmp_path):
    for program, folder in ((core, "core"), (opgen_program(), "program")):
        out = ["--source-path", shipped, "--install-dir", tmp_path / folder]
        done = run(program, "backend", *out, *FLAGS)
        assert done.returncode == 0, done.stderr
    for name in NAMES:
        text = (tmp_path / "core" / name).read_text()
        assert text == (tmp_path / "program" / name).read_text()
    assert sorted(p.name for p in (tmp_path / "core").iterdir()) == NAMES
    wrappers = sum(
        (tmp_path / "core" / name).read_text().count("HostCall call_(")
        for name in NAMES
    )
    assert wrappers > 1000


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["aten"],
        ["backend", "--header"],
        ["backend", "--unknown", "x"],
        ["backend", "--files", "0"],
        ["backend", "--files", "many"],
        ["backend", "--files", "2x"],
        ["backend", "--files", "65"],
    ],
)
def test_core_says_how_it_is_used(core, arguments):
    done = run(core, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: opgen-core backend")


def test_errors_have_places_and_leave_nothing_behind(core, tmp_path):
    native = tmp_path / "native"
    native.mkdir()
    (native / "tags.yaml").write_text("[]\n")
    (native / "native_functions.yaml").write_text("- func: f(Tensr x) -> Tensor\n")
    for program in (core, opgen_program()):
        out = ["--source-path", tmp_path, "--install-dir", tmp_path / "out"]
        done = run(program, "backend", *out, *FLAGS)
        assert done.returncode == 1
        assert "native_functions.yaml:1:11: error: unknown type 'Tensr'" in done.stderr
        assert not (tmp_path / "out").exists()


HEADERS = ["a.h", "sub folder/a b.h", "a'b.h", "ä.h", "<a>.h", "a/*b.h", "a//b.h"]
BAD_HEADERS = ["", 'a"b.h', "a\\b.h", "a\nb.h", "a\rb.h", "a.h\x7f", "a.h\\"]
NAMESPACES = ["my", "my::deep::er", "_", "My2"]
BAD_NAMESPACES = ["", "::my", "my::", "my::::b", "2d", "my-b", "my b", "class", "ä"]
BAD_NAMESPACES += ["my::new", "a { } namespace b", "inline a", "a\n", "a//", "my:b"]


@pytest.fixture(scope="module")
def small_tree(tmp_path_factory) -> Path:
    """The inputs of one operator."""
    tree = tmp_path_factory.mktemp("tree")
    (tree / "native").mkdir()
    (tree / "native/tags.yaml").write_text("[]\n")
    (tree / "native/native_functions.yaml").write_text(
        "- func: f(Tensor self) -> Tensor\n  dispatch: {CPU: f_cpu}\n"
    )
    return tree


@pytest.mark.parametrize(
    ("header", "namespace"),
    [(header, "my") for header in HEADERS] + [("a.h", name) for name in NAMESPACES],
)
def test_names_that_are_taken_compile(small_tree, tmp_path, header, namespace):
    out = ["-s", small_tree, "-d", tmp_path, "--header", header]
    done = run(opgen_program(), "backend", *out, "--namespace", namespace)
    assert done.returncode == 0, done.stderr
    (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / header).write_text(
        "#include <cstddef>\n#include <span>\n#include <vector>\n"
        f"namespace {namespace} {{ struct HostEntry {{}}; }}\n"
    )
    compiler = os.environ.get("CXX", "c++")
    flags = ["-std=c++20", "-fsyntax-only", "-I", tmp_path]
    done = run(compiler, *flags, tmp_path / "operators.cpp")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("flag", "header", "namespace"),
    [("--header", header, "my") for header in BAD_HEADERS]
    + [("--namespace", "a.h", name) for name in BAD_NAMESPACES],
)
def test_names_that_would_not_compile_are_errors(
    generator, small_tree, tmp_path, flag, header, namespace
):
    names = ["--header", header, "--namespace", namespace]
    places = ["--source-path", small_tree, "--install-dir", tmp_path / "out"]
    done = run(generator, "backend", *places, *names)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: '{flag}' must ")
    assert not (tmp_path / "out").exists()


def test_the_depfile_is_looked_at_first(generator, small_tree, tmp_path):
    (tmp_path / "deps").mkdir()
    places = ["--source-path", small_tree, "--install-dir", tmp_path / "out"]
    flags = ["--depfile", tmp_path / "deps", "--depfile-target", "x"]
    done = run(generator, "backend", *places, *FLAGS, *flags)
    assert done.returncode == 1
    assert f"cannot write '{tmp_path}/deps': Is a directory" in done.stderr
    assert not (tmp_path / "out").exists()


def configure(build: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return run(
        *("cmake", "-S", ROOT, "-B", build, "-G", "Ninja"),
        *("-DINFINI_BUILD_PLUGIN=ON", "-DINFINI_BUILD_TESTING=OFF"),
        *(f"-DPython_EXECUTABLE={sys.executable}", *flags),
    )


def test_an_installed_opgen_comes_first(prefix, tmp_path):
    done = configure(tmp_path / "with", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert done.returncode == 0, done.stderr
    assert f"opgen: installed, {prefix}" in done.stdout
    done = configure(tmp_path / "without")
    assert done.returncode == 0, done.stderr
    assert "opgen: its core is built here" in done.stdout


def test_missing_libyaml_names_the_package(tmp_path):
    # As find_path leaves it where there is nothing.
    done = configure(tmp_path / "build", "-DOPGEN_YAML_INCLUDE_DIR=")
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "Install: sudo apt-get install libyaml-dev" in said
