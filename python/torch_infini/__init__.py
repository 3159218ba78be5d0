"""PyTorch on the Infini stack: importing this package makes the device ``infini``.

The import is all there is to do. It checks that the extension was built for the
installed PyTorch, loads it, names PyTorch's PrivateUse1 backend ``infini`` and
registers :mod:`torch.infini`, which mirrors :mod:`torch.cuda`. PyTorch also does the
import by itself (entry point group ``torch.backends``), unless the environment says
``TORCH_DEVICE_BACKEND_AUTOLOAD=0``.

Importing in either order, twice, or reloading is harmless. Nothing is registered when
a check fails, so a failed import leaves PyTorch as it was.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType


# See Note [Autoload]: this definition precedes the import of torch.
def _autoload() -> None:
    """Entry point of the group ``torch.backends``; the import has done the work.

    Note [Autoload]: ``import torch`` ends by loading this function. When the user
    imports torch_infini first, that happens inside our own ``import torch`` below,
    while this module is still half executed: the function must exist by then, and
    the registration must wait until the module goes on.
    """


import torch  # noqa: E402

from torch_infini import _compatibility, _libraries  # noqa: E402

_BACKEND_NAME = "infini"
_UNUSED_SLOT_NAME = "privateuseone"


def _check_slot() -> None:
    """Refuses to load beside another out-of-tree backend.

    Raises:
        RuntimeError: another package owns PyTorch's only PrivateUse1 slot, or has
            registered a module as ``torch.infini``.
    """
    name = torch._C._get_privateuse1_backend_name()
    if name not in (_UNUSED_SLOT_NAME, _BACKEND_NAME):
        raise RuntimeError(
            f"torch_infini cannot register the device '{_BACKEND_NAME}': another "
            f"package has already registered the PrivateUse1 backend '{name}', and a "
            "process can have only one. Import only one of the two; if the other one "
            "is loaded automatically with torch, set TORCH_DEVICE_BACKEND_AUTOLOAD=0."
        )
    module = getattr(torch, _BACKEND_NAME, None)
    if module is not None and module.__name__ != f"{__name__}.infini":
        raise RuntimeError(
            "torch_infini cannot register torch.infini: the name is already taken by "
            f"{module!r}."
        )


def _load_extension() -> ModuleType:
    """Loads the native extension with the Infini libraries it needs.

    Raises:
        ImportError: the extension is not built, or one of its libraries is missing,
            truncated, or not the one it was built for.
    """
    _libraries.check_whole(Path(__file__).parent)
    name = f"{__name__}._C"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(
            f"torch_infini has no native extension for this Python "
            f"({sys.version_info.major}.{sys.version_info.minor}): {error}. "
            "Build and install it with 'pip install --no-build-isolation --no-deps .' "
            "in the root of the source tree.",
            name=name,
        ) from error
    except ImportError as error:
        raise ImportError(
            f"torch_infini cannot load its native extension: {error}. It needs "
            "libinfiniops.so and libinfinirt.so of the build that it was compiled "
            "for. If they are installed elsewhere, add their directories to "
            "LD_LIBRARY_PATH; if LD_LIBRARY_PATH names others, remove those; "
            "otherwise reinstall torch_infini.",
            name=name,
            path=error.path,
        ) from error


def _register_backend(extension: ModuleType) -> None:
    """Registers the device with PyTorch; what is registered already is left alone."""
    # First: it refuses libraries of another layout before it registers anything.
    extension.register_backend()
    if torch._C._get_privateuse1_backend_name() == _UNUSED_SLOT_NAME:
        torch.utils.rename_privateuse1_backend(_BACKEND_NAME)

    infini = importlib.import_module(f"{__name__}.infini")
    if getattr(torch, _BACKEND_NAME, None) is not infini:
        if hasattr(torch, _BACKEND_NAME):
            delattr(torch, _BACKEND_NAME)
        torch._register_device_module(_BACKEND_NAME, infini)
    modules = [infini.interchange, infini.memory, infini.random, infini.streams]
    modules += [infini.amp, infini.amp.autocast_mode, infini.amp.common]
    modules += [infini.amp.grad_scaler]
    for module in modules:
        part = module.__name__.removeprefix(f"{infini.__name__}.")
        sys.modules[f"torch.{_BACKEND_NAME}.{part}"] = module

    importlib.import_module(f"{__name__}._methods").generate()


__version__ = _compatibility.check().torch_infini
_check_slot()
_register_backend(_load_extension())
