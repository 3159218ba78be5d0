"""What several tests of opgen start from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .program import opgen_build


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    """A folder that opgen is installed to."""
    folder = tmp_path_factory.mktemp("prefix")
    install = ["cmake", "--install", opgen_build(), "--component", "opgen"]
    subprocess.run([*install, "--prefix", folder], check=True, capture_output=True)
    return folder
