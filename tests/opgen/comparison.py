"""Folders and headers compared byte by byte."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

# What the wheel's build puts around every header when it installs it.
GUARD_BEGIN = b"#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n"

HEADER = (
    f"{'run':<34} {'equal':>6} {'MB':>8} {'different':>9} {'missing':>7} "
    f"{'extra':>5} {'torchgen':>8} {'opgen s':>7}"
)


@dataclass
class Comparison:
    """What became of one row."""

    name: str
    equal: int = 0
    different: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    size: int = 0
    torchgen_s: float = 0.0
    opgen_s: float = 0.0
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether something was compared and all of it was equal."""
        problems = self.different or self.missing or self.extra or self.note
        return self.equal > 0 and not problems

    def row(self) -> str:
        """Return the line of the table."""
        return (
            f"{self.name:<34} {self.equal:>6} {self.size / 1e6:>8.2f} "
            f"{len(self.different):>9} {len(self.missing):>7} {len(self.extra):>5} "
            f"{self.torchgen_s:>8.1f} {self.opgen_s:>7.2f}  "
            f"{'ok' if self.ok else 'FAILED'} {self.note}"
        )

    def details(self, most: int = 8) -> str:
        """Return the row and the first files of each kind that are not equal."""
        lines = [self.row()]
        for kind in ("different", "missing", "extra"):
            lines += [f"    {kind}: {name}" for name in getattr(self, kind)[:most]]
        return "\n".join(lines)

    def add(self, other: Comparison) -> None:
        """Count another comparison's files here."""
        for kind in ("different", "missing", "extra"):
            where = f"{other.name}: "
            getattr(self, kind).extend(where + name for name in getattr(other, kind))
        self.equal += other.equal
        self.size += other.size
        self.torchgen_s += other.torchgen_s
        self.opgen_s += other.opgen_s
        if other.note:
            self.note += f"{other.name}: {other.note} "


def files_below(folder: Path) -> dict[str, Path]:
    """Return every file of a folder by its relative name."""
    return {
        str(path.relative_to(folder)): path
        for path in folder.rglob("*")
        if path.is_file()
    }


def is_manifest(name: str) -> bool:
    """Whether the file is opgen's record of a run."""
    return Path(name).name.startswith(".opgen-") and name.endswith("manifest")


def compare_folders(name: str, expected: Path, actual: Path) -> Comparison:
    """Compare two folders byte by byte; paths inside the files are the same."""
    result = Comparison(name)
    wanted, made = files_below(expected), files_below(actual)
    for relative, path in sorted(wanted.items()):
        if relative not in made:
            result.missing.append(relative)
            continue
        want = path.read_bytes()
        have = made[relative].read_bytes()
        if want.replace(bytes(expected), b"OUT") == have.replace(bytes(actual), b"OUT"):
            result.equal += 1
            result.size += len(want)
        else:
            result.different.append(relative)
    unexpected = sorted(set(made) - set(wanted))
    result.extra = [n for n in unexpected if not is_manifest(n)]
    return result


def without_guard(text: bytes) -> bytes:
    """Return a shipped header as it was before it was installed."""
    if not text.startswith(GUARD_BEGIN):
        return text
    end = text.rfind(b"#else\n#error")
    return text[len(GUARD_BEGIN) : end].removesuffix(b"\n") if end >= 0 else text


def compare_shipped(include: Path, actual: Path) -> Comparison:
    """Compare the headers that a wheel ships with those that opgen made.

    Headers of the same name that are not generated have no counterpart and do not
    count.
    """
    result = Comparison("headers that the wheel ships")
    places = {
        "aten": include / "ATen",
        "headeronly": include / "torch/headeronly/core",
        "autograd": include / "torch/csrc/autograd/generated",
    }
    for made_below, shipped_below in places.items():
        for relative, path in sorted(files_below(actual / made_below).items()):
            shipped = shipped_below / relative
            if not shipped.is_file():
                continue
            want = without_guard(shipped.read_bytes()).rstrip(b"\n")
            if want == path.read_bytes().rstrip(b"\n"):
                result.equal += 1
                result.size += len(want)
            else:
                result.different.append(relative)
    return result
