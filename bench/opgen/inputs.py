"""What is generated from: the installed PyTorch's files, and larger ones.

A larger native_functions.yaml has the operators of the original several times, each
time with another prefix, so that every copy has its variants, delegates and views.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

_ENTRY = re.compile(r"^- func: ", re.MULTILINE)
_NAME = re.compile(r"- func: (?:(\w+)::)?(\w+)")
# "__and__" keeps its meaning only without a prefix.
_ALWAYS_UNIQUE = ("__and", "__or", "__xor", "__lshift", "__rshift")


def torchgen_root() -> Path:
    """Return the folder that holds the installed `torchgen/`."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None or spec.origin is None:
        raise SystemExit("error: torchgen is not installed; install torch")
    return Path(spec.origin).parent.parent


def source_folder() -> Path:
    """Return the folder that -s names."""
    return torchgen_root() / "torchgen" / "packaged" / "ATen"


def _renamed(entry: str, prefix: str) -> str:
    first, _, rest = entry.partition("\n")
    first = _NAME.sub(lambda m: f"- func: {prefix}{m[2]}", first)

    def rename_list(match: re.Match[str]) -> str:
        names = [prefix + name.strip() for name in match[2].split(",")]
        return match[1] + ", ".join(names)

    rest = re.sub(r"(  structured_delegate: )([^\n]*)", rename_list, rest)
    rest = re.sub(r"(  autogen: )([^\n]*)", rename_list, rest)
    return first + "\n" + rest


def _entries(text: str) -> tuple[str, list[str]]:
    starts = [match.start() for match in _ENTRY.finditer(text)]
    ends = [*starts[1:], len(text)]
    return text[: starts[0]], [text[a:b] for a, b in zip(starts, ends, strict=True)]


def multiplied(text: str, times: int, unique: set[str]) -> str:
    """Return native_functions.yaml with its operators `times` times.

    Those whose name without a trailing "_" is in `unique` stay alone.
    """
    header, entries = _entries(text)
    copies = []
    for number in range(1, times):
        for entry in entries:
            name = _NAME.match(entry)
            if name and not name[1] and name[2].rstrip("_") not in unique:
                copies.append(_renamed(entry, f"copy{number}_"))
    return header + "".join(entries).rstrip() + "\n\n" + "".join(copies)


def _refused(program: Path, tree: Path) -> set[str]:
    """Return the operators whose copies have errors, by their original names."""
    command = [str(program), "aten", "-s", str(tree), "-d", str(tree / "unused")]
    command += ["--sink", "memory", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return set()
    path = tree / "native" / "native_functions.yaml"
    lines = path.read_text().splitlines()
    names = set()
    for diagnostic in json.loads(done.stdout)["diagnostics"]:
        line = diagnostic["line"] - 1
        while line >= 0 and not (name := _NAME.match(lines[line])):
            line -= 1
        if line >= 0:
            names.add(re.sub(r"^copy\d+_", "", name[2]).rstrip("_"))
    return names


def _make_tree(source: Path, text: str, root: Path) -> Path:
    tree = root / "packaged" / "ATen"
    shutil.rmtree(root, ignore_errors=True)
    (tree / "native").mkdir(parents=True)
    (tree / "templates").symlink_to(source / "templates")
    (tree / "native" / "tags.yaml").symlink_to(source / "native" / "tags.yaml")
    (root / "aoti").symlink_to(source.parent.parent / "aoti")
    (tree / "native" / "native_functions.yaml").write_text(text)
    return tree


def make_multiplied(
    program: Path, source: Path, factors: tuple[int, ...], root: Path
) -> list[Path]:
    """Lay out trees like `source` with so many times the operators; return them.

    Some rules name operators, so that their copies are refused; opgen says which, and
    these are not copied.
    """
    text = (source / "native" / "native_functions.yaml").read_text()
    unique = set(_ALWAYS_UNIQUE)
    for _ in range(50):
        tree = _make_tree(source, multiplied(text, 2, unique), root / "probe")
        more = _refused(program, tree) - unique
        if not more:
            break
        unique |= more
    else:
        raise SystemExit(f"error: opgen refuses the copied operators {sorted(more)}")
    return [
        _make_tree(source, multiplied(text, times, unique), root / f"x{times}")
        for times in factors
    ]


def count_operators(program: Path, tree: Path) -> int:
    """Return how many functions opgen makes of a tree's yaml."""
    path = tree / "native" / "native_functions.yaml"
    command = [str(program), "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[0])
