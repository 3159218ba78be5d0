"""Runs torchgen.gen once for each line of standard input.

A line is a JSON list of flags. The answer is a line with the exit status and the end of
what torchgen said. Each run is a fork of this process, so that torchgen is imported
once and no run sees what another has changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import traceback
from typing import IO

import torchgen.gen
import torchgen.model

# The keys of ufunc kernels, a set in torchgen: where the first function that names CPU
# or CUDA is a ufunc, declarations are in an order that changes from run to run with
# PYTHONHASHSEED. opgen always takes this one.
KEYS = torchgen.model.DispatchKey
torchgen.model.UFUNC_DISPATCH_KEYS = (KEYS.CUDA, KEYS.CPU)


def run(flags: list[str], log: IO[str]) -> int:
    """Run torchgen in a process of its own; return its exit status."""
    child = os.fork()
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        # Every file says which program has made it.
        sys.modules["__main__"].__file__ = torchgen.gen.__file__
        sys.argv = ["torchgen.gen", *flags]
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            torchgen.gen.main()
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        traceback.print_exc(file=log)
    finally:
        log.flush()
        os._exit(status)


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        with tempfile.TemporaryFile("w+") as log:
            status = run(json.loads(line), log)
            log.seek(0)
            answer = {"status": status, "output": log.read()[-2000:]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
