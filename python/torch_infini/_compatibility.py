"""Checks that the extension was built for the PyTorch that is running.

The build writes `_build_info.json` beside the extension. `check` compares it with
the running PyTorch; `torch_infini/__init__.py` calls it before anything of the
backend is registered or loaded, because an extension that was compiled against
another minor version or C++ ABI crashes instead of raising.

PyTorch's major.minor version and its CXX11 ABI must be those of the build. Patch
versions and local, development, alpha, beta and release-candidate suffixes may
differ.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path

RECORD_NAME = "_build_info.json"

_REBUILD = (
    "Rebuild torch-infini for the PyTorch that is installed: "
    "pip install --no-build-isolation --no-deps <path or source of torch-infini>"
)
_SOURCES = ("embedded", "upstream")
_VERSION = re.compile(
    r"""(?P<minor>\d+\.\d+)             # 2.13
        (?:\.\d+)*                      # .0
        (?:[._-]?(?:a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?
        (?:[._-]?post\d*)?
        (?:[._-]?dev\d*)?
        (?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True)
class BuildRecord:
    """What `_build_info.json` says; the names of the fields are its keys.

    Attributes:
        torch_infini: version of this project.
        torch: full version of the PyTorch that the extension was compiled against.
        torch_minor: its major.minor version.
        cxx11_abi: whether that PyTorch uses libstdc++'s CXX11 ABI.
        stack: embedded, upstream or mixed.
        infinirt: embedded or upstream.
        infiniops: embedded or upstream.
    """

    torch_infini: str
    torch: str
    torch_minor: str
    cxx11_abi: bool
    stack: str
    infinirt: str
    infiniops: str


def minor_version(version: str) -> str:
    """Return the major.minor part of a PyTorch version.

    Raises:
        ValueError: `version` is not a version number.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"{version!r} is not a version number")
    major, minor = match["minor"].split(".")
    return f"{int(major)}.{int(minor)}"


def read_record(path: Path) -> BuildRecord:
    """Return the record at `path`.

    Raises:
        ImportError: it is missing, unreadable, incomplete or contradicts itself.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ImportError(
            f"torch_infini has no build record ({path} does not exist), so its "
            f"extension was never built here. {_REBUILD}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"it is not JSON: {error}") from None
    return _validate(path, values)


def _damaged(path: Path, reason: str) -> ImportError:
    return ImportError(
        f"The build record of torch_infini ({path}) cannot be trusted: {reason}. "
        f"{_REBUILD}"
    )


def _validate(path: Path, values: object) -> BuildRecord:
    if not isinstance(values, dict):
        raise _damaged(path, "it is not an object")
    for field in fields(BuildRecord):
        kind = bool if field.type == "bool" else str
        if field.name not in values:
            raise _damaged(path, f"it lacks {field.name!r}")
        if type(values[field.name]) is not kind:
            raise _damaged(
                path,
                f"{field.name!r} is {values[field.name]!r} and should be a "
                f"{'boolean' if kind is bool else 'string'}",
            )
    unknown = sorted(set(values) - {field.name for field in fields(BuildRecord)})
    if unknown:
        raise _damaged(path, f"it has the unknown entry {unknown[0]!r}")
    record = BuildRecord(**values)
    try:
        minor = minor_version(record.torch)
    except ValueError as error:
        raise _damaged(path, f"'torch': {error}") from None
    if record.torch_minor != minor:
        raise _damaged(
            path,
            f"'torch_minor' is {record.torch_minor!r} while 'torch' is "
            f"{record.torch!r}",
        )
    halves = (record.infinirt, record.infiniops)
    if any(half not in _SOURCES for half in halves):
        raise _damaged(path, f"it names the stack {halves!r}")
    if record.stack != (halves[0] if halves[0] == halves[1] else "mixed"):
        raise _damaged(path, f"'stack' is {record.stack!r} for {halves!r}")
    return record


def check(
    path: Path | None = None,
    *,
    torch_version: str | None = None,
    cxx11_abi: bool | None = None,
) -> BuildRecord:
    """Return the build record if it fits the running PyTorch.

    Args:
        path: the record; by default the one beside this file.
        torch_version: the running version; by default that of `torch`.
        cxx11_abi: the running ABI; by default that of `torch`.

    Raises:
        ImportError: it does not fit, or there is no record to be trusted. The
            message says what was built for, what is running and what to do.
    """
    record = read_record(path or Path(__file__).with_name(RECORD_NAME))
    if torch_version is None or cxx11_abi is None:
        import torch

        if torch_version is None:
            torch_version = str(torch.__version__)
        if cxx11_abi is None:
            cxx11_abi = bool(torch.compiled_with_cxx11_abi())
    try:
        running = minor_version(torch_version)
    except ValueError:
        running = None
    if running != record.torch_minor or cxx11_abi != record.cxx11_abi:
        raise ImportError(
            f"torch_infini {record.torch_infini} was built for PyTorch "
            f"{record.torch_minor} ({record.torch}, {_abi_text(record.cxx11_abi)}), "
            f"but PyTorch {torch_version} ({_abi_text(cxx11_abi)}) is running. "
            f"{_REBUILD}"
        )
    return record


def _abi_text(cxx11_abi: bool) -> str:
    return f"CXX11 ABI {'on' if cxx11_abi else 'off'}"
