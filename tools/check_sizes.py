"""Fails when a file or a function is too long.

    python tools/check_sizes.py [file ...]

Without arguments it looks at every C++, Python and CMake file of the repository.
More than 600 lines a file or 60 a function fail. A literal table is exempt if a line
of the file, or of the function, says `NOLINT(size): <reason>`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lizard

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
FUNCTION_SUFFIXES = {".h", ".cpp", ".in", ".py"}
SUFFIXES = FUNCTION_SUFFIXES | {".cmake"}
EXEMPT = "NOLINT(size): "


def repository_files() -> list[Path]:
    """Return the tracked and the new files of the repository, golden files aside."""
    output = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = [ROOT / line for line in output.splitlines() if "/golden/" not in line]
    return [path for path in paths if _is_source(path)]


def _is_source(path: Path) -> bool:
    named = path.suffix in SUFFIXES or path.name == "CMakeLists.txt"
    return named and path.is_file()


def problems(path: Path) -> list[str]:
    """Return one message for each part of `path` that is too long."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    if len(lines) > MAX_FILE_LINES and not any(EXEMPT in line for line in lines):
        found.append(f"{path}:1: {len(lines)} lines (at most {MAX_FILE_LINES})")
    if path.suffix not in FUNCTION_SUFFIXES:
        return found
    for function in lizard.analyze_file(str(path)).function_list:
        length = function.end_line - function.start_line + 1
        body = lines[function.start_line - 1 : function.end_line]
        if length > MAX_FUNCTION_LINES and not any(EXEMPT in line for line in body):
            found.append(
                f"{path}:{function.start_line}: {function.name} has {length} lines "
                f"(at most {MAX_FUNCTION_LINES})"
            )
    return found


def main(arguments: list[str]) -> int:
    """Print the problems of the named files, or of all, and return 1 if any."""
    paths = [Path(argument) for argument in arguments] or repository_files()
    found = [problem for path in paths for problem in problems(path)]
    print("\n".join(found) or f"sizes: {len(paths)} files are short enough")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
