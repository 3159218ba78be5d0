"""Checks that the libraries of this package are whole before they are loaded.

The loader maps a library without looking at its length: one that was cut short, by a
full disk or a broken copy, ends the process with SIGBUS instead of an error.
"""

from __future__ import annotations

import struct
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

# The ELF header of a 64-bit file, from the offset of the section headers to their
# number; linkers write these headers last.
_HEADER = struct.Struct("<40xQ10xHH2x")


def check_whole(package: Path) -> None:
    """Refuses libraries that end before their section headers do.

    Files that are missing or no libraries at all are left to the loader, whose messages
    are clear.

    Args:
        package: the folder of the extension; the libraries it needs are in ``lib``.

    Raises:
        ImportError: a library is truncated. Names the file.
    """
    extensions = [package / f"_C{suffix}" for suffix in EXTENSION_SUFFIXES]
    for path in (*extensions, *(package / "lib").glob("*.so")):
        if not path.is_file():
            continue
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(b"\x7fELF"):
            continue
        offset, entry, count = _HEADER.unpack(header)
        needed, there = offset + entry * count, path.stat().st_size
        if there < needed:
            raise ImportError(
                f"torch_infini cannot load its native extension: {path} is truncated: "
                f"it has {there} of {needed} bytes. Reinstall torch_infini.",
                path=str(path),
            )
