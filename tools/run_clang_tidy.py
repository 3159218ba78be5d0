"""Runs clang-tidy on the C++ files that differ from the previous commit.

    python tools/run_clang_tidy.py [--all] [--minutes 6] [--clang-tidy PATH]

The files are those that the working tree or HEAD changes against the previous commit
of main; a changed header stands for the source of the same stem, and .clang-tidy for
all files. All files are taken when the previous commit is unknown. The compile commands
are those of the build folders. When the time is over, the files that were not looked
at are named; they do not make the run fail.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("csrc/", "embedded/", "tests/")
# Not clean yet.
EXCLUDED = ("tests/opgen/",)


def git(*arguments: str) -> list[str] | None:
    """Return the lines that git prints, or None if it fails."""
    result = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    return result.stdout.splitlines() if result.returncode == 0 else None


def changed_files() -> set[str] | None:
    """Return what differs from the previous commit, or None if that is unknown."""
    tracked = git("diff", "--name-only", "HEAD~1", "--")
    new = git("ls-files", "--others", "--exclude-standard")
    if tracked is None or new is None:
        return None
    return set(tracked) | set(new)


def compile_databases() -> dict[str, Path]:
    """Return, for each source below FOLDERS, the newest build folder that has it."""
    sources: dict[str, Path] = {}
    found = (ROOT / "build").glob("*/compile_commands.json")
    for database in sorted(found, key=lambda path: path.stat().st_mtime):
        if "san" in database.parent.name:
            continue
        for entry in json.loads(database.read_text(encoding="utf-8")):
            path = Path(entry["file"])
            if not path.is_file() or not path.is_relative_to(ROOT):
                continue
            name = str(path.relative_to(ROOT))
            if name.startswith(FOLDERS) and not name.startswith(EXCLUDED):
                sources[name] = database.parent
    return sources


def select(sources: dict[str, Path], changed: set[str] | None) -> list[str]:
    """Return the sources to look at, in order."""
    if changed is None or ".clang-tidy" in changed:
        return sorted(sources)
    stems = {name.rpartition(".")[0] for name in changed if name.endswith(".h")}
    return sorted(n for n in sources if n in changed or n.rpartition(".")[0] in stems)


def main() -> int:
    """Look at the files; print what is wrong with them and return 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--clang-tidy", default="clang-tidy")
    arguments = parser.parse_args()
    sources = compile_databases()
    if not sources:
        print("error: no build folder has compile commands", file=sys.stderr)
        return 1
    names = select(sources, None if arguments.all else changed_files())
    deadline = time.monotonic() + 60 * arguments.minutes

    def check(name: str) -> bool | None:
        if time.monotonic() > deadline:
            return None
        # clang comes without omp.h.
        command = [arguments.clang_tidy, "--quiet", "--extra-arg=-fno-openmp"]
        command += ["-p", str(sources[name]), name]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if result.returncode != 0:
            print(f"{name}\n{result.stdout}{result.stderr}", flush=True)
        return result.returncode == 0

    jobs = int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        results = dict(zip(names, pool.map(check, names), strict=True))
    late = [name for name, result in results.items() if result is None]
    failed = [name for name, result in results.items() if result is False]
    if late:
        print(f"clang-tidy: time is over, not looked at: {' '.join(late)}")
    print(
        f"clang-tidy: {len(names) - len(late)} of {len(names)} files looked at "
        f"({len(sources)} in all), {len(failed)} with findings"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
