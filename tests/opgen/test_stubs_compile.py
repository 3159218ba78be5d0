"""What `opgen stubs` generates compiles (syntax only) against PyTorch's headers.

INFINI_OPGEN_COMPILE_ALL=1 adds a backend with every operator.
"""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .generators import installed_torchgen
from .program import opgen_program
from .test_compiles import check_syntax, compile_it, compiler

EVERYTHING = bool(os.environ.get("INFINI_OPGEN_COMPILE_ALL"))
# As torchgen would take it.
PLAIN = """\
backend: PrivateUse1
cpp_namespace: other::native
use_out_as_primary: true
device_guard: true
supported: [empty.memory_format, add.Tensor, mul.out, _foreach_add.List, topk, expand,
            split.Tensor, native_batch_norm, index.Tensor, convolution_overrideable]
symint: [expand]
autograd: [linear, max_pool2d]
"""
# Every key beyond torchgen's. The structured kernels have precomputed values, several
# outputs, lists of tensors, a parent class, and arguments of most kinds.
BEYOND = """\
backend: PrivateUse1
class_name: Kernels
cpp_namespace: other
device_guard: true
device_check: false
default_arguments: true
per_operator_headers: true
overlay: own.yaml
empty: other::make
empty_strided: other::make_strided
extra_headers: [<ATen/ops/zeros.h>, '#include "other.h"']
structured:
- add.Tensor
- {func: topk, device_guard: false}
- {func: sum.dim_IntList, kernel: my_sum, device_check: true}
- aminmax
- cat
- index.Tensor
- linalg_vector_norm
- max.dim
- avg_pool2d
- upsample_bilinear2d
supported:
- {func: abs, device_check: true, device_guard: false}
- {func: div.Tensor_mode, kernel: my_div}
- {func: view, symint: true}
- {func: mm.out, structured: true}
- _foreach_add.Scalar
- searchsorted.Tensor
- other::glu
autograd:
- {func: linear, kernel: linear_autograd}
"""
OVERLAY = """\
- func: other::glu(Tensor x, Tensor? gate=None) -> Tensor
  dispatch:
    Meta: glu_meta
- func: other::glu.out(Tensor x, Tensor? gate=None, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    PrivateUse1: glu_out
- func: third::scale_(Tensor(a!) self, *, float by=1.0, SymInt[]? at=None) -> Tensor(a!)
  dispatch:
    PrivateUse1: scale_
    AutogradPrivateUse1: scale_autograd_
- func: third::half(Tensor(a) x) -> Tensor(a)
- func: third::rand(SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None,
    Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  tags: nondeterministic_seeded
  dispatch:
    PrivateUse1: rand
"""
HEADER = """\
#pragma once
#include <ATen/core/Tensor.h>
namespace other {
at::Tensor make(at::IntArrayRef sizes, const at::TensorOptions& options);
at::Tensor make_strided(at::IntArrayRef sizes, at::IntArrayRef strides,
                        const at::TensorOptions& options);
}
"""


def generate(folder: Path, description: str, **files: str) -> list[str]:
    """The names of the sources made for the description, in the folder `out`."""
    for name, text in {"be.yaml": description, **files}.items():
        (folder / name).write_text(text)
    torchgen = installed_torchgen() / "torchgen"
    flags = ["-s", "be.yaml", "-o", "out", "--torchgen", torchgen]
    done = subprocess.run(
        [opgen_program(), "stubs", *flags], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return sorted(f"out/{path.name}" for path in (folder / "out").glob("*.cpp"))


@pytest.fixture(scope="module")
def precompiled(tmp_path_factory):
    """Flags with which headers that all registrations include are read faster."""
    folder = tmp_path_factory.mktemp("precompiled")
    header = folder / "precompiled.h"
    header.write_text("#include <ATen/core/Tensor.h>\n#include <torch/library.h>\n")
    flags = ["-x", "c++-header", header, "-o", header.with_suffix(".h.gch")]
    compile_it([*compiler(folder), *flags])
    return ["-include", str(header)]


def check_all(folder: Path, names: list[str], flags: list[str]) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: check_syntax(folder, name, flags), names))


def test_plain_description_compiles(precompiled, tmp_path):
    names = generate(tmp_path, PLAIN)
    keys = ("AutogradPrivateUse1", "PrivateUse1")
    assert names == [f"out/Register{key}.cpp" for key in keys]
    check_all(tmp_path, names, precompiled)


def test_every_key_beyond_torchgen_compiles(precompiled, tmp_path):
    files = {"own.yaml": OVERLAY, "other.h": HEADER}
    names = generate(tmp_path, BEYOND, **files)
    keys = ("AutogradPrivateUse1", "CompositeImplicitAutograd", "Meta", "PrivateUse1")
    assert names == [f"out/Register{key}.cpp" for key in keys]
    check_all(tmp_path, names, precompiled)


@pytest.mark.skipif(not EVERYTHING, reason="INFINI_OPGEN_COMPILE_ALL=1 takes minutes")
@pytest.mark.parametrize("settings", ["", "device_guard: true\ndevice_check: false\n"])
def test_every_operator_compiles(settings, precompiled, tmp_path):
    structured, others = operators()
    assert len(structured) > 250
    lists = {"structured": structured, "supported": others}
    text = "".join(
        f"{key}:\n" + "".join(f"- {name}\n" for name in names)
        for key, names in lists.items()
    )
    head = f"backend: PrivateUse1\ncpp_namespace: my\n{settings}"
    names = generate(tmp_path, f"{head}default_arguments: true\n{text}")
    check_all(tmp_path, names, precompiled)


def operators() -> tuple[list[str], list[str]]:
    """Names of out= variants with structured kernels, and of all other operators."""
    gen = pytest.importorskip("torchgen.gen")
    native = installed_torchgen() / "torchgen/packaged/ATen/native"
    places = (str(native / name) for name in ("native_functions.yaml", "tags.yaml"))
    functions = gen.parse_native_yaml(*places).native_functions
    structured = [str(f.func.name) for f in functions if f.structured]
    others = [str(f.func.name) for f in functions if not f.part_of_structured_group]
    return structured, others
