"""The program under test, built if it is not there yet."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from cmake_target import ROOT, build_target


@functools.cache
def opgen_program() -> Path:
    """The program opgen; OPGEN names one that is there already."""
    given = os.environ.get("OPGEN")
    if given:
        return Path(given)
    build = ROOT / "build" / "dev"
    build_target(build, "opgen")
    return build / "opgen" / "opgen"


def opgen_build() -> Path:
    """The build folder that the program lies in."""
    return opgen_program().resolve().parents[1]
