"""Makes changed copies of native_functions.yaml, the same for the same seed.

    python tests/opgen/mutate.py --source FOLDER --seed 7 --out FOLDER [--sample 0.1]

The source folder holds native_functions.yaml and tags.yaml, as torchgen ships them;
the output folder gets both. Seven of ten changes keep the variants of an operator in
step, so that torchgen tends to accept the result; the others change one entry alone, so
that it tends to refuse. With --sample only that share of the operators is kept.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ENTRY = re.compile(r"^- func: ", re.MULTILINE)
NAME = re.compile(r"(?:(\w+)::)?(\w+)(?:\.(\w+))?\(")
SIMPLE_TYPE = r"\b(?:Tensor|int|SymInt|float|bool|Scalar|str)(?:\?|\[\d*\])?"
ARGUMENT = re.compile(SIMPLE_TYPE + r" (\w+)(?=[,=)])")
TYPES = (
    "int",
    "SymInt",
    "float",
    "bool",
    "Scalar",
    "str",
    "Tensor",
    "Tensor?",
    "int[]",
)
KEYS = (
    "CPU",
    "CUDA",
    "MPS",
    "XPU",
    "MTIA",
    "Meta",
    "SparseCPU",
    "MkldnnCPU",
    "QuantizedCPU",
)
COMPOSITE = "CompositeExplicitAutograd"
FLAGS = (
    "  device_check: NoCheck\n",
    "  device_guard: False\n",
    "  manual_cpp_binding: True\n",
    "  variants: function, method\n",
    "  variants: method\n",
    "  python_module: nn\n",
    "  category_override: factory\n",
    "  tags: core\n",
    "  tags: [pointwise, nondeterministic_seeded]\n",
    "  tags: poinwise\n",
    "  varaints: function\n",
    "  structured: True\n",
    "  autogen: mutated.out\n",
    "  use_const_ref_for_mutable_tensors: True\n",
)


@dataclass
class Entry:
    text: str

    @property
    def base(self) -> str:
        match = NAME.search(self.text)
        return match.group(2) if match else ""

    @property
    def family(self) -> str:
        """The same for all variants of an operator and for views and their copies."""
        base = self.base
        if base.startswith("__"):
            return base
        base = base.rstrip("_")
        for suffix in ("_copy", "_scatter", "_inverse", "_functional"):
            base = base.removesuffix(suffix)
        return base

    def has(self, name: str) -> bool:
        return f"\n  {name}:" in self.text


class Mutator:
    def __init__(self, text: str, seed: int, sample: float = 1.0):
        self.random = random.Random(seed)
        starts = [match.start() for match in ENTRY.finditer(text)]
        self.header = text[: starts[0]]
        ends = [*starts[1:], len(text)]
        self.entries = [Entry(text[a:b]) for a, b in zip(starts, ends, strict=True)]
        if sample < 1.0:
            families = sorted({entry.family for entry in self.entries})
            count = max(1, int(len(families) * sample))
            kept = set(self.random.sample(families, count))
            self.entries = [e for e in self.entries if e.family in kept]

    def text(self) -> str:
        return self.header + "".join(entry.text for entry in self.entries)

    def mutate(self, changes: int) -> list[str]:
        """Applies that many changes and says which."""
        together: tuple[Callable[[list[Entry]], str], ...] = (
            self.drop,
            self.rename,
            self.change_type,
            self.add_argument,
            self.change_flag,
            self.change_dispatch,
            self.reorder,
        )
        done = []
        for _ in range(changes):
            if not self.entries:
                break
            change = self.random.choice(together)
            chosen = self.random.choice(self.entries)
            if self.random.random() < 0.7:
                targets = [e for e in self.entries if e.family == chosen.family]
                scope = "family"
            else:
                targets = [chosen]
                scope = "entry"
            done.append(
                f"{change.__name__} of {scope} {chosen.base}: {change(targets)}"
            )
        return done

    def drop(self, targets: list[Entry]) -> str:
        self.entries = [e for e in self.entries if all(e is not t for t in targets)]
        return f"{len(targets)} entries"

    def rename(self, targets: list[Entry]) -> str:
        suffix = self.random.choice(("_renamed", "2", "_x", "_rand", "_like"))
        bases = {entry.base.rstrip("_") for entry in targets}
        for entry in targets:
            for base in sorted(bases, key=len, reverse=True):
                entry.text = re.sub(
                    rf"(?<![\w.]){re.escape(base)}(?=_?(?:\.\w+)?[(\n,])",
                    base + suffix,
                    entry.text,
                )
        return suffix

    def change_type(self, targets: list[Entry]) -> str:
        places = ARGUMENT.findall(targets[0].text.split("\n", 1)[0])
        if not places:
            return "nothing"
        name = self.random.choice(places)
        new = self.random.choice(TYPES)
        if self.random.random() < 0.1:
            new = self.random.choice(("Tensr", "int[0]", "Tensor(a", "Tensor(a!)"))
        for entry in targets:
            first, rest = entry.text.split("\n", 1)
            first = re.sub(
                SIMPLE_TYPE + rf" {name}(?=[,=)])",
                f"{new} {name}",
                first,
            )
            entry.text = first + "\n" + rest
        return f"{name} to {new}"

    def add_argument(self, targets: list[Entry]) -> str:
        new = self.random.choice(
            (
                "int mutated",
                "SymInt mutated=1",
                "bool mutated=True",
                "Tensor? mutated=None",
            )
        )
        for entry in targets:
            first, rest = entry.text.split("\n", 1)
            opening = first.index("(")
            closing = first.rindex(") -> ")
            arguments = [a for a in first[opening + 1 : closing].split(", ") if a]
            star = arguments.index("*") if "*" in arguments else len(arguments)
            arguments.insert(star, new)
            first = first[: opening + 1] + ", ".join(arguments) + first[closing:]
            entry.text = first + "\n" + rest
        return new

    def change_flag(self, targets: list[Entry]) -> str:
        flag = self.random.choice(FLAGS)
        key = flag.split(":")[0].strip()
        for entry in targets:
            entry.text = re.sub(rf"\n  {key}: [^\n]*", "", entry.text)
            if self.random.random() < 0.8:
                first, rest = entry.text.split("\n", 1)
                entry.text = first + "\n" + flag + rest
        return flag.strip()

    def change_dispatch(self, targets: list[Entry]) -> str:
        kernel = self.random.choice(
            ("mutated", "mutated_symint", "custom::mutated", "a::b::c::d::e")
        )
        key = self.random.choice(
            (*KEYS, *KEYS, COMPOSITE, "CompositeImplicitAutograd", "CPUU")
        )
        action = self.random.choice(("add", "remove", "replace"))
        for entry in targets:
            table = re.search(r"\n  dispatch:\n(?:    [^\n]*\n)+", entry.text)
            line = f"    {key}: {kernel}\n"
            if table is None:
                if action == "add":
                    first, rest = entry.text.split("\n", 1)
                    entry.text = f"{first}\n  dispatch:\n{line}{rest}"
            elif action == "add":
                at = table.end()
                entry.text = entry.text[:at] + line + entry.text[at:]
            elif action == "remove":
                entry.text = entry.text[: table.start() + 1] + entry.text[table.end() :]
            else:
                lines = table.group(0).splitlines(keepends=True)
                place = self.random.randrange(2, len(lines))
                lines[place] = line
                entry.text = (
                    entry.text[: table.start()]
                    + "".join(lines)
                    + entry.text[table.end() :]
                )
        return f"{action} {key}: {kernel}"

    def reorder(self, targets: list[Entry]) -> str:
        for entry in targets:
            self.entries = [e for e in self.entries if e is not entry]
            self.entries.insert(self.random.randrange(len(self.entries) + 1), entry)
        return f"{len(targets)} entries"


def mutate(text: str, seed: int, sample: float = 1.0) -> tuple[str, list[str]]:
    """The changed text and a line for each change."""
    mutator = Mutator(text, seed, sample)
    changes = mutator.mutate(1 + seed % 4)
    return mutator.text(), changes


def without_key(text: str, key: str, sample: float) -> str:
    """A sample without the families of which one names the dispatch key."""
    mutator = Mutator(text, seed=0, sample=sample)
    names = re.compile(rf"^    (?:[\w, ]*, )?{key}\b", re.MULTILINE)
    families = {e.family for e in mutator.entries if names.search(e.text)}
    # The in-place variant of __lshift__ is __ilshift__, which is no family here.
    mutator.entries = [
        e
        for e in mutator.entries
        if e.family not in families and not e.base.startswith("__")
    ]
    return mutator.text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--sample", type=float, default=1.0)
    options = parser.parse_args()
    text = (options.source / "native_functions.yaml").read_text()
    changed, changes = mutate(text, options.seed, options.sample)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "native_functions.yaml").write_text(changed)
    shutil.copyfile(options.source / "tags.yaml", options.out / "tags.yaml")
    print("\n".join(changes))


if __name__ == "__main__":
    main()
