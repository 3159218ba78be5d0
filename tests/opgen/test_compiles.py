"""Generated sources compile (syntax only) against the headers of the installed PyTorch.

By default from a yaml that keeps some operators, one source of each kind;
INFINI_OPGEN_COMPILE_ALL=1 takes every source of the whole yaml that can be compiled
here. Headers come from the wheel where it ships them, and otherwise, as those that only
PyTorch's own build needs, from what opgen has made.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from .generators import installed_torchgen
from .mutate import ENTRY, Entry
from .program import opgen_program

EVERYTHING = bool(os.environ.get("INFINI_OPGEN_COMPILE_ALL"))
# Families of operators with structured, ufunc, composite, view, factory, foreach,
# random, sparse and quantized members.
FAMILIES = {
    *("abs", "add", "addmm", "arange", "bernoulli", "clone", "convolution", "cumsum"),
    *("detach", "empty", "expand", "_foreach_add", "index_put", "_index_put_impl"),
    *("max", "mean", "mm", "narrow", "native_batch_norm", "normal", "ones", "rand"),
    *("randn", "relu", "reshape", "select", "slice", "split", "squeeze", "sum"),
    *("to", "topk", "transpose", "unbind", "view", "zeros", "zeros_like", "zero"),
    *("values", "indices", "quantize_per_tensor", "dequantize"),
}
# Kind of source, and the file that stands for it.
KINDS = {
    "registrations of a backend, structured kernels": "ATen/RegisterCPU_0.cpp",
    "registrations of shape functions": "ATen/RegisterMeta_0.cpp",
    "registrations of composite kernels": (
        "ATen/RegisterCompositeExplicitAutograd_0.cpp"
    ),
    "functional kernels of structured operators": (
        "ATen/RegisterCompositeExplicitAutogradNonFunctional_0.cpp"
    ),
    "copies of views": "ATen/CompositeViewCopyKernels.cpp",
    "functions": "ATen/Functions.cpp",
    "methods": "ATen/core/TensorMethods.cpp",
    "names": "ATen/core/ATenOpList.cpp",
    "operators": "ATen/Operators_0.cpp",
    "functionalization": "ATen/RegisterFunctionalization_0.cpp",
    "views for functionalization": "ATen/ViewMetaClasses.cpp",
    "choice of the backend": "ATen/RegisterBackendSelect.cpp",
    "schemas": "ATen/RegisterSchema.cpp",
    "ufunc": "ATen/UfuncCPU_add.cpp",
    "ufunc kernel": "ATen/UfuncCPUKernel_add.cpp",
    "shim of AOTInductor": "torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.cpp",
    "tracing": "torch/csrc/autograd/generated/TraceType_0.cpp",
    "views for autograd": "torch/csrc/autograd/generated/ADInplaceOrViewType_0.cpp",
    "unboxing": "ATen/UnboxingFunctions_0.cpp",
    "unboxed kernels": "ATen/RegisterCodegenUnboxedKernels_0.cpp",
}
# Headers are compiled as if included alone.
HEADERS = {
    "functions of all operators": "ATen/VmapGeneratedPlumbing.h",
    "redispatch": "ATen/RedispatchFunctions.h",
    "header of an operator": "ATen/ops/add.h",
    "kernels of an operator": "ATen/ops/add_native.h",
    "factories": "torch/csrc/autograd/generated/variable_factories.h",
}
# What the kernel of the ufunc `add` calls. The header is part of PyTorch's sources and
# not of its wheels.
UFUNC_ADD = """\
#pragma once
#include <ATen/cpu/vec/vec.h>
namespace at::native::ufunc {
template <class T> T add(T self, T other, T alpha);
template <class T>
vec::Vectorized<T> add(vec::Vectorized<T> self, vec::Vectorized<T> other,
                       vec::Vectorized<T> alpha);
}
"""
# Needs headers of CUDA, which a wheel for the CPU does not have.
NEEDS_CUDA = re.compile(r"CUDA|c_shim_cuda")


def some_operators(source: Path, root: Path) -> Path:
    """A tree like torchgen/packaged/ATen with the chosen families."""
    tree = root / "packaged" / "ATen"
    (tree / "native").mkdir(parents=True)
    (tree / "templates").symlink_to(source / "templates")
    (tree / "native/tags.yaml").symlink_to(source / "native/tags.yaml")
    (root / "aoti").symlink_to(source.parent.parent / "aoti")
    text = (source / "native/native_functions.yaml").read_text()
    starts = [match.start() for match in ENTRY.finditer(text)]
    ends = [*starts[1:], len(text)]
    entries = [Entry(text[a:b]) for a, b in zip(starts, ends, strict=True)]
    kept = "".join(e.text for e in entries if e.family in FAMILIES)
    (tree / "native/native_functions.yaml").write_text(text[: starts[0]] + kept)

    autograd = source.parent / "autograd"
    (tree.parent / "autograd").mkdir()
    (tree.parent / "autograd/templates").symlink_to(autograd / "templates")
    text = (autograd / "derivatives.yaml").read_text()
    header, *entries = re.split(r"(?m)^(?=- name: )", text)
    functions = set(re.findall(r"- func: ([\w.]+)\(", kept))
    chosen = (
        entry
        for entry in entries
        if functions.intersection(re.findall(r"^- name: ([\w.]+)\(", entry))
    )
    (tree.parent / "autograd/derivatives.yaml").write_text(header + "".join(chosen))
    return tree


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A folder laid out like torch/include, with all that opgen makes."""
    folder = tmp_path_factory.mktemp("generated")
    source = installed_torchgen() / "torchgen" / "packaged" / "ATen"
    if not EVERYTHING:
        source = some_operators(source, folder / "input")
    shim = folder / "torch/csrc/inductor/aoti_torch/generated"
    shim.mkdir(parents=True)
    places = ["--aoti-install-dir", shim, "--per-operator-headers"]
    places += ["--headeronly-install-dir", folder / "torch/headeronly/core"]
    for command, out, more in (
        ("aten", folder / "ATen", places),
        ("autograd", folder / "torch/csrc/autograd/generated", []),
        ("unboxing", folder / "ATen", ["--op-registration-allowlist", "aten::add"]),
    ):
        flags = [opgen_program(), command, "-s", source, "-d", out, *more]
        if EVERYTHING and command == "unboxing":
            flags = flags[:-2]
        done = subprocess.run(map(str, flags), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    add = folder / "ATen/native/ufunc/add.h"
    add.parent.mkdir(parents=True)
    add.write_text(UFUNC_ADD)
    return folder


def compiler(generated: Path) -> list[str]:
    include = installed_torchgen() / "torch" / "include"
    # The wheel's headers come first: they are those of all operators.
    places = [include, include / "torch/csrc/api/include", generated]
    places.append(Path(sysconfig.get_paths()["include"]))
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-w"]
    command += ["-DAT_PER_OPERATOR_HEADERS"]
    command += ["-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"]
    for place in places:
        command += ["-isystem", str(place)]
    return command


def compile_it(command: list[object]) -> None:
    strings = [str(part) for part in command]
    done = subprocess.run(strings, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    assert done.returncode == 0, "\n".join(errors[:20]) or done.stderr[:2000]


@pytest.fixture(scope="module")
def precompiled(generated):
    """Flags with which headers that most sources begin with are read faster."""
    header = generated / "precompiled.h"
    header.write_text("#include <ATen/core/Tensor.h>\n#include <torch/library.h>\n")
    gch = header.with_suffix(".h.gch")
    compile_it([*compiler(generated), "-x", "c++-header", header, "-o", gch])
    return ["-include", str(header)]


def check_syntax(generated: Path, name: str, flags: list[str]) -> None:
    command = [*compiler(generated), *flags, "-fsyntax-only", "-x", "c++"]
    compile_it([*command, generated / name])


@pytest.mark.skipif(EVERYTHING, reason="test_every_source_compiles has all of them")
@pytest.mark.parametrize("kind", [*KINDS, "header of an operator"])
def test_compiles(kind, generated, precompiled):
    check_syntax(generated, {**KINDS, **HEADERS}[kind], precompiled)


@pytest.mark.skipif(not EVERYTHING, reason="INFINI_OPGEN_COMPILE_ALL=1 takes long")
def test_every_source_compiles(generated):
    names = [str(p.relative_to(generated)) for p in generated.rglob("*.cpp")]
    names = [n for n in names if "Everything" not in n and not NEEDS_CUDA.search(n)]
    missing = set(KINDS.values()) - set(names)
    assert not missing
    failed = {}
    for name in sorted({*names, *HEADERS.values()}):
        try:
            check_syntax(generated, name, [])
        except AssertionError as error:
            failed[name] = str(error)
    assert not failed, failed
