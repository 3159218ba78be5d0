"""Changed copies of native_functions.yaml, compared like the shipped one.

Nothing in opgen may be special to today's file: seeded changes (see mutate.py) are made
until torchgen has accepted as many as are wanted, and for each of those every byte of a
run is compared. Most are made of a tenth of the operators, with all variants of each,
since torchgen takes half a minute for all of them; every twentieth is of the whole
file. The flags change from one to the next.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from .comparison import Comparison
from .generators import Generation, Torchgen, compare_run, run_opgen
from .mutate import mutate

SAMPLE = 0.1
WHOLE_EVERY = 20
# Seeds of every five in a row have different flags.
FLAGS: tuple[tuple[str, ...], ...] = (
    ("--per-operator-headers",),
    (),
    ("--per-operator-headers", "--mps", "--xpu", "--mtia"),
    ("--static-dispatch-backend", "CPU"),
    ("--per-operator-headers", "--rocm"),
)


@dataclass
class Mutants:
    """What became of all of them."""

    files: Comparison
    accepted: int = 0
    refused: int = 0
    # Seeds that torchgen refuses and opgen does not.
    refused_by_torchgen_alone: list[int] = field(default_factory=list)
    last_seed: int = 0

    def summary(self) -> str:
        """Return a sentence for each kind of outcome."""
        alone = self.refused_by_torchgen_alone
        both = self.refused - len(alone)
        return (
            f"mutated inputs: torchgen accepted {self.accepted} of "
            f"{self.accepted + self.refused} (seeds up to {self.last_seed}); of the "
            f"{self.refused} that it refused, opgen refused {both}"
            + (f", not {alone}" if alone else "")
        )


def make_tree(source: Path, functions: str, root: Path) -> Path:
    """Make a tree like the wheel's with another native_functions.yaml."""
    tree = root / "packaged" / "ATen"
    (tree / "native").mkdir(parents=True)
    (tree / "templates").symlink_to(source / "templates")
    (root / "aoti").symlink_to(source.parent.parent / "aoti")
    (tree / "native" / "native_functions.yaml").write_text(functions)
    shutil.copyfile(source / "native/tags.yaml", tree / "native/tags.yaml")
    return tree


def compare_mutant(
    program: Path, torchgen: Torchgen, seed: int, whole: bool, folder: Path
) -> Comparison | bool:
    """Compare one; if torchgen refuses it, say whether opgen does too."""
    sample = 1.0 if whole else SAMPLE
    text = (torchgen.source / "native" / "native_functions.yaml").read_text()
    changed, _ = mutate(text, seed, sample)
    tree = make_tree(torchgen.source, changed, folder / "input")
    generation = Generation("aten", FLAGS[seed % len(FLAGS)])
    name = f"seed {seed}" + (", whole file" if whole else "")
    result = compare_run(name, program, torchgen, generation, folder / "run", tree)
    if result.note.startswith("torchgen failed"):
        ours = run_opgen(program, generation, tree, folder / "refused")
        return ours.status == 1
    return result


def compare_mutants(
    program: Path,
    torchgen: Torchgen,
    wanted: int,
    folder: Path,
    first_seed: int = 0,
    verbose: bool = True,
) -> Mutants:
    """Compare mutated inputs until torchgen has accepted `wanted`."""
    result = Mutants(Comparison(f"{wanted} mutated inputs"))
    seed = first_seed
    while result.accepted < wanted and seed < first_seed + 50 * wanted:
        place = folder / f"seed-{seed}"
        whole = result.accepted % WHOLE_EVERY == WHOLE_EVERY - 1
        outcome = compare_mutant(program, torchgen, seed, whole, place)
        shutil.rmtree(place, ignore_errors=True)
        result.last_seed = seed
        if isinstance(outcome, Comparison):
            result.accepted += 1
            result.files.add(outcome)
            if verbose and not outcome.ok:
                print(outcome.details(), flush=True)
        else:
            result.refused += 1
            if not outcome:
                result.refused_by_torchgen_alone.append(seed)
        seed += 1
    if result.accepted < wanted:
        result.files.note += f"torchgen accepted {result.accepted} only"
    return result
