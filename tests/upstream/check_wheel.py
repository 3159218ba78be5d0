"""Checks what a wheel carries and records of the stack that it was built against.

    check_wheel.py WHEEL RT OPS [FOLDER...]

RT and OPS are "embedded" or "upstream". Of an upstream library the wheel holds nothing
but the name. None of the folders, such as the prefixes and the build tree, may be named
in a binary. Exits with a message if something is otherwise.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIBRARIES = {
    "rt": {"libinfinirt.so"},
    "ops": {"libinfiniops.so", "libscipy_openblas.so"},
}


def dynamic(path: Path, tag: str) -> list[str]:
    """Return the values of one tag of the dynamic section, in its order."""
    command = ["readelf", "-W", "-d", str(path)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.findall(rf"\({tag}\).*\[(.*)\]", text)


def problems(package: Path, sources: dict[str, str], folders: list[str]) -> list[str]:
    """Return what is wrong with the unpacked package, one line each."""
    found = []

    def expect(what: str, value: object, expected: object) -> None:
        if value != expected:
            found.append(f"{what} is {value!r} and should be {expected!r}")

    (extension,) = package.glob("_C*.so")
    embedded = [half for half, source in sources.items() if source == "embedded"]
    bundled = {path.name for path in package.glob("lib/*.so*")}
    expect("lib/", bundled, set().union(*(LIBRARIES[half] for half in embedded)))
    runpath = ["$ORIGIN/lib"] if embedded else []
    expect("RUNPATH", dynamic(extension, "RUNPATH"), runpath)
    expect("RPATH", dynamic(extension, "RPATH"), [])
    needed = dynamic(extension, "NEEDED")
    infini = [name for name in needed if name.startswith("libinfini")]
    expect("NEEDED", infini, ["libinfiniops.so", "libinfinirt.so"])
    expect("NEEDED with a path", [name for name in needed if "/" in name], [])
    for path in [extension, *package.glob("lib/libinfini*.so")]:
        content = path.read_bytes()
        named = [folder for folder in folders if folder.encode() in content]
        expect(f"what {path.name} names", named, [])

    record = json.loads((package / "_build_info.json").read_text(encoding="utf-8"))
    expect("infinirt", record["infinirt"], sources["rt"])
    expect("infiniops", record["infiniops"], sources["ops"])
    kinds = set(sources.values())
    expect("stack", record["stack"], kinds.pop() if len(kinds) == 1 else "mixed")
    return found


def main() -> None:
    """Check the wheel on the command line."""
    wheel, rt, ops, *folders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as unpacked:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
        package = Path(unpacked) / "torch_infini"
        found = problems(package, {"rt": rt, "ops": ops}, folders)
    if found:
        sys.exit("\n".join([f"{wheel}:", *found]))


if __name__ == "__main__":
    main()
