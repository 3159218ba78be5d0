"""The public surface of a module, found by looking at it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

# Members that the C++ base classes have only in a CUDA build of PyTorch, and their
# kinds, so that a CPU build gives the same surface.
CUDA_BUILD_MEMBERS = {
    "CUDAGraph": {"keep_graph": "data"},
    "Event": {"cuda_event": "data", "device": "data", "event_id": "data"},
    "MemPool": {"allocator": "data"},
    "Stream": {
        "cuda_stream": "data",
        "device": "data",
        "device_index": "data",
        "device_type": "data",
        "is_capturing": "function",
        "native_handle": "data",
        "priority": "data",
        "priority_range": "function",
        "stream_id": "data",
    },
}


class SurfaceError(Exception):
    """The surface cannot be looked at."""


def kind_of(value: object) -> str:
    """One of module, class, function, data."""
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "data"


def _public_names(module: ModuleType) -> list[str]:
    """Names of a module that belong to its public surface, sorted."""
    listed = set(getattr(module, "__all__", ()))
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None)
        if kind_of(value) not in ("class", "function") or home is None:
            continue
        is_error = inspect.isclass(value) and issubclass(value, BaseException)
        if home == module.__name__ or (home == "torch" and is_error):
            listed.add(name)
    return sorted(name for name in listed if not name.startswith("_"))


def _submodules(module: ModuleType, prefix: str) -> Iterator[tuple[str, ModuleType]]:
    for info in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if info.name.startswith("_"):
            continue
        child = importlib.import_module(f"{module.__name__}.{info.name}")
        yield f"{prefix}{info.name}", child
        yield from _submodules(child, f"{prefix}{info.name}.")


def _member_kind(cls: type, member: str) -> str:
    """Like kind_of, without running properties."""
    value = inspect.getattr_static(cls, member, None)
    if isinstance(value, (classmethod, staticmethod)):
        return "function"
    return kind_of(value)


def _members(name: str, cls: type, reference: str) -> dict[str, str]:
    """Public members of a class of the reference module; none for foreign classes."""
    if not cls.__module__.startswith(reference) or type(cls).__module__.startswith(
        "torch"
    ):
        return {}
    own = {
        n for base in cls.__mro__ if base.__module__ != "builtins" for n in dir(base)
    }
    own -= set(dir(Exception)) if issubclass(cls, BaseException) else set(dir(object))
    kinds = {n: _member_kind(cls, n) for n in own if not n.startswith("_")}
    kinds |= CUDA_BUILD_MEMBERS.get(name, {})
    return {f"{name}.{member}": kind for member, kind in kinds.items()}


def collect_surface(reference: str) -> dict[str, str]:
    """Map every public symbol below `reference` to its kind, sorted by name.

    A class that several modules name is expanded into its members once, under its
    shortest name.
    """
    try:
        root = importlib.import_module(reference)
        modules = dict(_submodules(root, ""))
    except Exception as error:
        raise SurfaceError(f"cannot look at {reference}: {error}") from error
    surface = dict.fromkeys(modules, "module")
    expanded: set[int] = set()
    for prefix, module in [("", root), *sorted(modules.items())]:
        for name in _public_names(module):
            value = getattr(module, name, None)
            path = f"{prefix}.{name}" if prefix else name
            surface[path] = kind_of(value)
            if inspect.isclass(value) and id(value) not in expanded:
                expanded.add(id(value))
                surface.update(_members(path, value, reference))
    return dict(sorted(surface.items()))
