"""The error corpus: malformed inputs and exactly what opgen says about each.

    python tests/opgen/error_corpus.py --opgen PROGRAM            # compare
    python tests/opgen/error_corpus.py --opgen PROGRAM --update   # rewrite

Each file of `errors/` holds cases of one kind. A case begins with `=== NAME`; then
come, all optional,

    $ ARGUMENTS              the command line, `aten -s aten/src -d out` if none
    text                     aten/src/native/native_functions.yaml
    --- file PATH            a further file
    --- bytes PATH           the same; its text is a Python expression
    --- link PATH TARGET     a file or folder of an installed PyTorch's torchgen
    --- without PATH         a file that this case lacks
    --- folder PATH          an empty folder
    --- writes               the case may leave files behind
    --- stderr STATUS        what is expected; always the last section

Every case has aten/src/native/tags.yaml. What comes before the first case, comments
aside, holds for all of a file, which then may name another file for the text:

    --- input PATH
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "errors"
FUNCTIONS = "aten/src/native/native_functions.yaml"
TAGS_FILE = "aten/src/native/tags.yaml"
TAGS = "".join(
    f"- tag: {tag}\n  desc: {tag}\n"
    for tag in (
        "core",
        "generated",
        "inplace",
        "inplace_view",
        "nondeterministic_seeded",
        "out",
        "pt2_compliant_tag",
        "view_copy",
    )
)
DEFAULT_COMMAND = "aten -s aten/src -d out"
HEADER = re.compile(r"^(===|---) (.*)$")


@dataclasses.dataclass
class Case:
    """One malformed input and what is expected of it."""

    source: Path
    name: str
    arguments: list[str]
    text: str  # all but what is expected
    files: dict[str, bytes] = dataclasses.field(default_factory=dict)
    links: dict[str, str] = dataclasses.field(default_factory=dict)
    folders: list[str] = dataclasses.field(default_factory=list)
    writes: bool = False
    status: int = -1
    stderr: str = ""

    @property
    def id(self) -> str:
        """The name of the case among all of the corpus."""
        return f"{self.source.stem}/{self.name}"


@dataclasses.dataclass
class Outcome:
    """What the program did."""

    status: int
    stderr: str
    left: list[str]  # files that were not there before
    diagnostics: list[dict]  # as --format json gives them


def _sections(text: str) -> list[tuple[str, str]]:
    """The parts of a case: a heading and the text below it."""
    parts: list[tuple[str, list[str]]] = [("input", [])]
    for line in text.splitlines(keepends=True):
        match = HEADER.match(line)
        if match and match[1] == "---" and parts[-1][0][:6] != "stderr":
            parts.append((match[2], []))
        else:
            parts[-1][1].append(line)
    return [(heading, "".join(lines)) for heading, lines in parts]


def _apply(case: Case, text: str, input_path: str) -> str:
    """Put what a text says into a case; return the path of its input."""
    for heading, raw in _sections(text):
        body = raw.strip("\n") + "\n"
        kind, _, rest = heading.partition(" ")
        if kind == "input" and not rest:
            if body.startswith("$"):
                command, _, body = body[1:].partition("\n")
                case.arguments = shlex.split(command)
            if body.strip():
                case.files[input_path] = body.encode()
        elif kind == "input":
            input_path = rest
        elif kind == "file":
            case.files[rest] = body.encode()
        elif kind == "bytes":
            value = eval(body)  # the corpus is part of this program
            case.files[rest] = value if isinstance(value, bytes) else value.encode()
        elif kind == "link":
            path, _, target = rest.partition(" ")
            case.links[path] = target
        elif kind == "without":
            case.files.pop(rest, None)
            case.links.pop(rest, None)
        elif kind == "folder":
            case.folders.append(rest)
        elif kind == "writes":
            case.writes = True
        else:
            raise ValueError(f"{case.id}: unknown section '{heading}'")
    return input_path


def parse_case(source: Path, name: str, common: str, text: str) -> Case:
    """Read one case, whose text begins below its `===` line."""
    before, separator, after = text.partition("--- stderr ")
    case = Case(source, name, shlex.split(DEFAULT_COMMAND), before.rstrip("\n") + "\n")
    if separator:
        status, _, expected = after.partition("\n")
        case.status = int(status)
        case.stderr = expected.strip("\n") + "\n"
    case.files[TAGS_FILE] = TAGS.encode()
    _apply(case, case.text, _apply(case, common, FUNCTIONS))
    return case


def parse_file(source: Path) -> list[Case]:
    """Read all cases of a file."""
    cases = []
    parts = re.split(r"^=== (.*)\n", source.read_text(encoding="utf-8"), flags=re.M)
    common = re.sub(r"^#.*\n", "", parts[0], flags=re.M)
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        cases.append(parse_case(source, name, common, text))
    return cases


def load_corpus(folder: Path = FOLDER) -> list[Case]:
    """All cases, in the order of the files."""
    return [case for path in sorted(folder.glob("*.txt")) for case in parse_file(path)]


def torchgen_folder() -> Path:
    """The package torchgen of the installed PyTorch."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("PyTorch is not installed")
    return Path(spec.origin).parent


def _files_below(folder: Path) -> set[str]:
    found = set()
    for root, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            found.add(str((Path(root) / name).relative_to(folder)))
    return found


def _link(path: Path, target: Path) -> None:
    """Link a file, or a folder's files, so that others can be put among them."""
    if not target.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        return
    path.mkdir(parents=True, exist_ok=True)
    for entry in target.iterdir():
        (path / entry.name).symlink_to(entry)


def _make_files(case: Case, folder: Path) -> None:
    for path, target in case.links.items():
        _link(folder / path, torchgen_folder() / target)
    for path in case.folders:
        (folder / path).mkdir(parents=True, exist_ok=True)
    for path, contents in case.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).unlink(missing_ok=True)
        (folder / path).write_bytes(contents)


def run_case(case: Case, program: Path) -> Outcome:
    """Run the program on a case in a folder of its own."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _make_files(case, folder)
        before = _files_below(folder)
        command = [str(program), *case.arguments]
        result = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=120
        )
        left = sorted(_files_below(folder) - before)
        diagnostics = []
        if result.returncode < 2:
            as_json = ["--json"] if case.arguments[0] in ("explain", "diff") else []
            again = subprocess.run(
                [*command, *(as_json or ["--format", "json"])],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=120,
            )
            diagnostics = json.loads(again.stdout)["diagnostics"]
        return Outcome(result.returncode, result.stderr, left, diagnostics)


def run_all(cases: Iterable[Case], program: Path) -> dict[str, Outcome]:
    """Run all cases, two at a time."""
    cases = list(cases)
    with ThreadPoolExecutor(2) as pool:
        outcomes = pool.map(lambda case: run_case(case, program), cases)
        return {case.id: outcome for case, outcome in zip(cases, outcomes, strict=True)}


def difference(case: Case, outcome: Outcome) -> str:
    """How the outcome differs from what is expected; empty if it does not."""
    expected = f"status {case.status}\n{case.stderr}"
    actual = f"status {outcome.status}\n{outcome.stderr.strip(chr(10))}\n"
    lines = difflib.unified_diff(
        expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm=""
    )
    text = "\n".join(lines)
    if outcome.left and not case.writes:
        text += f"\nfiles were left behind: {', '.join(outcome.left)}"
    return text


def update_file(source: Path, cases: list[Case], outcomes: dict[str, Outcome]) -> None:
    """Rewrite what the cases of a file expect."""
    comment = source.read_text(encoding="utf-8").partition("=== ")[0]
    out = [comment]
    for case in cases:
        outcome = outcomes[case.id]
        expected = outcome.stderr.strip("\n")
        text = "" if case.text == "\n" else case.text
        out.append(
            f"=== {case.name}\n{text}--- stderr {outcome.status}\n{expected}\n\n"
        )
    source.write_text("".join(out).rstrip("\n") + "\n", encoding="utf-8")


def main() -> int:
    """Compare the program with the corpus, or rewrite what the corpus expects."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opgen", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, help="files of the corpus")
    arguments = parser.parse_args()
    failed = 0
    for source in arguments.files or sorted(FOLDER.glob("*.txt")):
        cases = parse_file(source.resolve())
        outcomes = run_all(cases, arguments.opgen.resolve())
        if arguments.update:
            update_file(source, cases, outcomes)
            continue
        for case in cases:
            text = difference(case, outcomes[case.id])
            if text:
                failed += 1
                print(f"{case.id}:\n{text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
