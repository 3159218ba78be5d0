"""Compiles the extension's sources against the headers of another PyTorch.

    python tools/check_torch_headers.py [--version 2.12.1] [--build build/<folder>]

Syntax only. The headers, and the description that operators are generated from, come
from the wheel for macOS, the smallest one (88 MB): they are the same on every platform.
They stay in build/torch-headers/. The compile commands are those of the newest build
folder that holds the extension, with the include folders of PyTorch replaced; sources
that the build generates are generated anew. A run with nothing changed since the last
success does nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "torch-headers"
PLATFORM = "macosx_14_0_arm64"
NEEDED = ("torch/include/", "torchgen/packaged/ATen/native/")
GENERATED = "/csrc/generated/"


class CheckError(Exception):
    """The check cannot run; the message says why."""


def fetch_headers(version: str) -> Path:
    """Return the include folder of `version`, downloading the wheel once."""
    target = CACHE / version
    include = target / "torch" / "include"
    if (target / "complete-with-torchgen").is_file():
        return include
    target.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, "-m", "pip", "download", f"torch=={version}", "--no-deps",
        "--only-binary=:all:", "--platform", PLATFORM, "--python-version", "3.11",
        "--quiet", "--dest", str(target),
    ]  # fmt: skip
    if subprocess.run(command).returncode != 0:
        raise CheckError(f"cannot download the wheel of torch {version} for {PLATFORM}")
    wheel = next(target.glob("torch-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        members = [n for n in archive.namelist() if n.startswith(NEEDED)]
        archive.extractall(target, members)
    wheel.unlink()
    (target / "complete-with-torchgen").touch()
    return include


def newest_commands(build: Path | None) -> list[dict[str, str]]:
    """Return the compile commands of the extension's sources.

    Other build folders compile single sources of csrc/ too, without PyTorch; they are
    not what is looked for.
    """
    folders = [build] if build else sorted((ROOT / "build").glob("*"), key=_age)
    prefix = str(ROOT / "csrc") + os.sep
    for folder in folders:
        database = folder / "compile_commands.json"
        if database.is_file():
            entries = json.loads(database.read_text(encoding="utf-8"))
            found = [
                e
                for e in entries
                if (e["file"].startswith(prefix) or GENERATED in e["file"])
                and "/torch/include" in e["command"]
            ]
            if found:
                return found
    raise CheckError("no build folder holds the extension; run `make build` first")


def _age(folder: Path) -> float:
    return -folder.stat().st_mtime


def generate(entry: dict[str, str], include: Path) -> dict[str, str]:
    """Return the entry of a generated source for the source of the other PyTorch."""
    if GENERATED not in entry["file"]:
        return entry
    core = Path(entry["directory"]) / "opgen" / "opgen-core"
    program = str(core) if core.is_file() else shutil.which("opgen")
    if program is None:
        raise CheckError(f"neither {core} nor a program opgen is there to generate")
    target = include.parents[1] / "generated"
    command = [
        program, "backend", "--install-dir", str(target),
        "--source-path", str(include.parents[1] / "torchgen" / "packaged" / "ATen"),
        "--header", "csrc/ops/host_call.h", "--namespace", "torch_infini",
    ]  # fmt: skip
    if subprocess.run(command).returncode != 0:
        raise CheckError(f"{program} cannot generate from {include.parents[1]}")
    source = target / Path(entry["file"]).name
    text = entry["command"].replace(entry["file"], str(source))
    return {**entry, "file": str(source), "command": text}


def syntax_command(entry: dict[str, str], include: Path) -> list[str]:
    """Return `entry` as a syntax check with PyTorch's headers from `include`."""
    words = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(words) if word.startswith("-")) - 1
    words = words[compiler:]  # without a launcher such as ccache
    output = words.index("-o")
    del words[output : output + 2]
    words.remove("-c")
    replaced = []
    for word in words:
        head, separator, tail = word.rpartition("/torch/include")
        is_torch = separator and (tail == "" or tail.startswith("/"))
        if is_torch and not word.startswith("-"):
            replaced.append(f"{include}{tail}")
        elif is_torch and head.startswith("-I"):
            replaced.append(f"-I{include}{tail}")
        else:
            replaced.append(word)
    if not any(str(include) in word for word in replaced):
        raise CheckError(f"no include folder of PyTorch is named for {entry['file']}")
    return [*replaced, "-fsyntax-only"]


def digest(commands: list[list[str]]) -> str:
    """Return a hash of everything of this repository that the check reads."""
    state = hashlib.sha256(json.dumps(commands).encode())
    for folder in ("csrc", "embedded", "opgen"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".in", ".yaml"}:
                state.update(str(path.relative_to(ROOT)).encode())
                state.update(path.read_bytes())
    return state.hexdigest()


def main() -> int:
    """Check every source; print what the compiler says and return 1 on errors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", default="2.12.1")
    parser.add_argument("--build", type=Path)
    arguments = parser.parse_args()
    try:
        entries = newest_commands(arguments.build)
        include = fetch_headers(arguments.version)
        entries = [generate(entry, include) for entry in entries]
        commands = [syntax_command(entry, include) for entry in entries]
    except CheckError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    stamp = CACHE / arguments.version / "checked"
    state = digest(commands)
    title = f"torch {arguments.version} headers"
    if stamp.is_file() and stamp.read_text() == state:
        print(f"{title}: nothing changed since the last success")
        return 0

    def check(pair: tuple[dict[str, str], list[str]]) -> bool:
        entry, command = pair
        result = subprocess.run(
            command, cwd=entry["directory"], capture_output=True, text=True
        )
        verdict = "ok" if result.returncode == 0 else "FAILED"
        name = Path(entry["file"]).relative_to(ROOT)
        print(f"{title}: {name}: {verdict}\n{result.stderr}".rstrip(), flush=True)
        return result.returncode == 0

    jobs = int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(check, zip(entries, commands, strict=True)))
    print(f"{title}: {results.count(True)} passed, {results.count(False)} failed")
    if not all(results):
        return 1
    stamp.write_text(state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
