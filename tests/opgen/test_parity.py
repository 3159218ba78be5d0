"""Every byte that opgen writes against what torchgen writes; see parity.py."""

from __future__ import annotations

import pytest

from . import parity
from .comparison import compare_shipped
from .generators import Generation, Torchgen, compare_run, installed_torchgen
from .mutants import compare_mutants, make_tree
from .mutate import without_key
from .program import opgen_program

# Fewer would mean that part of a run was not compared.
LEAST_FILES = {"per-operator": 7000, "autograd": 15, "unboxing": 5}
LEAST_SHIPPED = {"per-operator": 7000, "autograd": 1}


@pytest.fixture(scope="module")
def torchgen():
    with Torchgen(installed_torchgen()) as running:
        yield running


@pytest.mark.parametrize("name", parity.DEFAULT_SET)
def test_equal_to_torchgen(name, torchgen, tmp_path):
    generation = parity.FULL_SET[name]
    result = compare_run(name, opgen_program(), torchgen, generation, tmp_path)
    assert result.ok, result.details()
    assert result.equal >= LEAST_FILES[name]
    if name in LEAST_SHIPPED:
        include = torchgen.root / "torch" / "include"
        shipped = compare_shipped(include, tmp_path / "opgen")
        assert shipped.ok, shipped.details()
        assert shipped.equal >= LEAST_SHIPPED[name]


def test_mutated_inputs_are_equal_to_torchgen(torchgen, tmp_path):
    wanted = parity.MUTANTS["default"]
    found = compare_mutants(opgen_program(), torchgen, wanted, tmp_path, verbose=False)
    assert found.files.ok, found.files.details()
    assert found.accepted == wanted


@pytest.mark.parametrize(
    "key",
    [
        "CPU",
        "CUDA",
        "Meta",
        "CompositeExplicitAutograd",
        "CompositeExplicitAutogradNonFunctional",
    ],
)
def test_key_that_no_function_names(key, torchgen, tmp_path):
    """torchgen makes some files of such a key with an index that has no key."""
    text = (torchgen.source / "native" / "native_functions.yaml").read_text()
    functions = without_key(text, key, sample=0.06)
    assert f" {key}: " not in functions
    tree = make_tree(torchgen.source, functions, tmp_path / "input")
    generation = Generation("aten", parity.PER_OPERATOR)
    result = compare_run(
        key, opgen_program(), torchgen, generation, tmp_path / "run", tree
    )
    assert result.ok, result.details()
    assert result.equal > 100
