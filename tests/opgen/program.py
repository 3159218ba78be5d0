"""The program under test, built if it is not there yet."""

from __future__ import annotations

import fcntl
import functools
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def opgen_program() -> Path:
    """The program opgen; OPGEN names one that is there already."""
    given = os.environ.get("OPGEN")
    if given:
        return Path(given)
    build = ROOT / "build" / "dev"
    configure = ["cmake", "--preset", "dev"]
    compile_it = ["cmake", "--build", str(build), "--target", "opgen"]
    ready = (build / "build.ninja").exists()
    # Tests run side by side, and ninja does not lock its folder.
    with open(Path(tempfile.gettempdir()) / "infini_opgen.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in [compile_it] if ready else [configure, compile_it]:
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return build / "opgen" / "opgen"


def opgen_build() -> Path:
    """The build folder that the program lies in."""
    return opgen_program().resolve().parents[1]
