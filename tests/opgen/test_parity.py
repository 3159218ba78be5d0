"""Every byte that opgen writes against what torchgen writes; see parity.py."""

from __future__ import annotations

import pytest

from . import parity
from .program import opgen_program


@pytest.fixture(scope="module")
def root():
    return parity.installed_torchgen()


@pytest.mark.parametrize("name", sorted(parity.DEFAULT_SET))
def test_equal_to_torchgen(name, root, tmp_path):
    source = root / "torchgen" / "packaged" / "ATen"
    flags = parity.FULL_SET[name]
    result = parity.compare_run(name, opgen_program(), root, source, flags, tmp_path)
    assert result.ok, (
        result.row()
        + "\n"
        + "\n".join(result.different[:10] + result.missing[:10] + result.extra[:10])
    )
    assert result.equal > 7000
    shipped = parity.compare_shipped(root / "torch" / "include", tmp_path / "opgen")
    assert shipped.ok, shipped.different[:10]
    assert shipped.equal > 7000
