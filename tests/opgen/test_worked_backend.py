"""The backend of docs/opgen_backend.md builds, runs, and is what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from .generators import installed_torchgen
from .program import ROOT, opgen_program

EXAMPLE = ROOT / "examples" / "opgen_backend"
PAGE = ROOT / "docs" / "opgen_backend.md"


def blocks(language: str) -> list[str]:
    """The code blocks of the page in a language; of none if it is empty."""
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE.read_text())
    return [text for name, text in found if name == language]


def words(text: str) -> str:
    return " ".join(text.split())


def test_builds_and_agrees_with_the_cpu(prefix, tmp_path):
    places = f"{prefix};{torch.utils.cmake_prefix_path}"
    configure = ["cmake", "-S", EXAMPLE, "-B", tmp_path, "-G", "Ninja"]
    for command in (
        [*configure, f"-DCMAKE_PREFIX_PATH={places}", "-DCMAKE_BUILD_TYPE=Debug"],
        ["cmake", "--build", tmp_path],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    library = tmp_path / "libopgen_backend_example.so"
    done = subprocess.run(
        [sys.executable, EXAMPLE / "check.py", library],
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("training: ok\n5 checks passed\n")


@pytest.mark.parametrize("language", ["yaml", "cpp", "cmake"])
def test_the_page_shows_the_example(language):
    sources = [path for path in EXAMPLE.iterdir() if path.is_file()]
    texts = [words(re.sub(r"(?m)^ *(#|//).*\n", "", p.read_text())) for p in sources]
    for block in blocks(language):
        if block.startswith("static "):  # of the generated header, tested below
            continue
        assert any(words(block) in text for text in texts), block


def run_stubs(folder: Path) -> subprocess.CompletedProcess[str]:
    flags = ["--torchgen", installed_torchgen() / "torchgen", "-o", "generated"]
    flags += ["--kernel-sources", "kernels.cpp", "autograd.cpp"]
    return subprocess.run(
        [opgen_program(), "stubs", "-s", "backend.yaml", *flags],
        cwd=folder,
        capture_output=True,
        text=True,
    )


def test_the_page_shows_what_is_generated(tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "backend")
    done = run_stubs(folder)
    assert done.returncode == 0, done.stderr
    header = (folder / "generated" / "PrivateUse1NativeFunctions.h").read_text()
    shown = [block for block in blocks("cpp") if block.startswith("static ")]
    assert shown
    for block in shown:
        assert words(block) in words(header)


def test_a_wrong_kernel_is_the_error_that_the_page_shows(tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "backend")
    kernels = folder / "kernels.cpp"
    right, wrong = "Kernels::fill_(Tensor& self", "Kernels::fill_(const Tensor& self"
    assert right in kernels.read_text()
    kernels.write_text(kernels.read_text().replace(right, wrong))
    done = run_stubs(folder)
    assert done.returncode == 1
    assert not (folder / "generated").exists()
    shown = [block for block in blocks("") if block.startswith("kernels.cpp:")]
    assert shown
    assert shown[0] in done.stderr, done.stderr
