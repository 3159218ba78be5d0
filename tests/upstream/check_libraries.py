"""Checks which libraries the installed plugin runs on, or that it refuses them.

    check_libraries.py loaded RT_LIBRARY OPS_LIBRARY
    check_libraries.py refused OPS_LIBRARY

`loaded` also runs the smoke test and expects torch.add to be InfiniOps'. `refused`
expects an ImportError that names what was expected and the file, and a PyTorch in which
nothing is registered. Run it with TORCH_DEVICE_BACKEND_AUTOLOAD=0.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import torch

SMOKE = Path(__file__).resolve().parents[1] / "packaging" / "smoke.py"


def loaded(runtime: str, operators: str) -> None:
    """Expect the given files to be in use, and to work."""
    import torch_infini  # noqa: F401

    used = torch.infini.runtime_backend()
    for half, expected in (("runtime", runtime), ("operators", operators)):
        path = Path(used[half]["path"])
        if not path.samefile(expected):
            sys.exit(f"{half}: {path} is loaded and not {expected}")
    runpy.run_path(str(SMOKE), run_name="__main__")
    counts = {(name, by): n for name, by, n in torch.infini.provider_counts()}
    if not counts.get(("aten::add.Tensor", "infiniops")):
        sys.exit(f"InfiniOps computed no torch.add: {counts}")


def refused(operators: str) -> None:
    """Expect an ImportError about the given file and no trace of the plugin."""
    try:
        import torch_infini  # noqa: F401
    except ImportError as error:
        message = str(error)
    else:
        sys.exit(f"{operators} was accepted")
    print(message)
    for part in ("2962714", "LD_LIBRARY_PATH", operators):
        if part not in message:
            sys.exit(f"the message does not name {part}")
    name = torch._C._get_privateuse1_backend_name()
    if name != "privateuseone" or hasattr(torch, "infini"):
        sys.exit(f"something was registered; PrivateUse1 is called {name}")
    if torch.accelerator.is_available():
        sys.exit("an accelerator is registered")


if __name__ == "__main__":
    {"loaded": loaded, "refused": refused}[sys.argv[1]](*sys.argv[2:])
