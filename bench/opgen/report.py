"""The table, the JSON file and the plot of a benchmark of opgen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.opgen.measure import Figure


@dataclass(frozen=True)
class Growth:
    """Times for a multiple of the operators."""

    times: int
    operators: int
    figures: list[Figure]

    def to_json(self) -> dict[str, object]:
        """Return the fields as plain JSON types."""
        figures = [figure.to_json() for figure in self.figures]
        return {"times": self.times, "operators": self.operators, "figures": figures}


def table(figures: Sequence[Figure]) -> str:
    """Return a text table, one row per case."""
    lines = [
        f"{'case':36s} {'thr':>3s} {'cache':>5s} {'median ms':>10s} "
        f"{'quartiles':>17s} {'user':>8s} {'system':>7s} {'MB':>6s} {'n':>3s} "
        f"{'load':>5s} {'target':>7s}"
    ]
    for figure in figures:
        target = f"{figure.target_ms:7.0f}" if figure.target_ms else "      -"
        mark = "" if figure.meets_target else " MISS"
        lines.append(
            f"{figure.name:36s} {figure.threads:3d} "
            f"{'cold' if figure.cold else 'warm':>5s} {figure.median_ms:10.1f} "
            f"{figure.low_ms:8.1f}-{figure.high_ms:8.1f} {figure.user_ms:8.1f} "
            f"{figure.system_ms:7.1f} {figure.peak_mb:6.1f} {figure.repeats:3d} "
            f"{figure.load:5.1f} {target}{mark}"
        )
    return "\n".join(lines)


def ratios(figures: Sequence[Figure]) -> str:
    """Return how often opgen's time goes into torchgen's, from the same run."""
    warm = {(f.name, f.threads): f.median_ms for f in figures if not f.cold}
    lines = []
    for (name, threads), milliseconds in warm.items():
        tool, _, what = name.partition(": ")
        theirs = warm.get((f"torchgen: {what}", 1))
        if tool == "opgen" and theirs:
            ratio = theirs / milliseconds
            lines.append(
                f"{what}, {threads} thr: torchgen takes {ratio:.0f} times that"
            )
    return "\n".join(lines)


def growth_table(growth: Sequence[Growth]) -> str:
    """Return a text table of time against the number of operators."""
    lines = [f"{'operators':>12s} {'hash only ms':>13s} {'parse ms':>9s} {'MB':>6s}"]
    for row in growth:
        hashed, parsed = row.figures
        lines.append(
            f"x{row.times} {row.operators:9d} {hashed.median_ms:13.1f} "
            f"{parsed.median_ms:9.1f} {hashed.peak_mb:6.1f}"
        )
    return "\n".join(lines)


def save_json(
    record: dict[str, object],
    figures: Sequence[Figure],
    growth: Sequence[Growth],
    path: Path,
) -> None:
    """Write everything with what is needed to read it later."""
    whole = {
        **record,
        "figures": [figure.to_json() for figure in figures],
        "growth": [row.to_json() for row in growth],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=1) + "\n")


def save_plot(figures: Sequence[Figure], growth: Sequence[Growth], path: Path) -> None:
    """Draw every case with its quartiles and target, and the growth below."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = len(figures)
    chart, (top, bottom) = pyplot.subplots(
        2,
        1,
        figsize=(9, 4 + 0.24 * rows),
        height_ratios=[0.24 * rows + 0.6, 3],
    )
    labels = []
    for row, figure in enumerate(figures):
        color = "tab:blue" if figure.name.startswith("opgen") else "tab:gray"
        color = color if figure.meets_target else "tab:red"
        top.plot([figure.low_ms, figure.high_ms], [row, row], color=color, lw=3)
        top.plot(figure.median_ms, row, "o", color=color)
        if figure.target_ms is not None:
            top.plot(figure.target_ms, row, "|", color="black", markersize=9)
        cache = "cold" if figure.cold else "warm"
        labels.append(f"{figure.name} ({figure.threads} thr, {cache})")
    top.set_yticks(range(rows), labels, fontsize=7)
    top.invert_yaxis()
    top.set_xscale("log")
    top.set_xlabel("milliseconds (bar: quartiles, tick: target)")
    top.set_title("opgen beside torchgen and beside what the system needs")
    for index, label in enumerate(("hash only", "parse and model")):
        points = [(g.operators, g.figures[index].median_ms) for g in growth]
        bottom.plot(*zip(*points, strict=True), "o-", label=label)
    if growth:
        bottom.legend()
    bottom.set_xlabel("operators")
    bottom.set_ylabel("milliseconds, 1 thr")
    chart.tight_layout()
    chart.savefig(path, dpi=120)
    pyplot.close(chart)
