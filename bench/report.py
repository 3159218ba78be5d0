"""The table, the JSON file and the plot of a benchmark."""

from __future__ import annotations

import json
import platform
import statistics
from pathlib import Path

import torch

from bench.measure import Figure


def middle_figure(figures: list[Figure]) -> Figure:
    """Return the figure with the median ratio of several runs of one case."""
    return sorted(figures, key=lambda figure: figure.ratio)[len(figures) // 2]


def table(runs: list[list[Figure]]) -> str:
    """Return a text table, one row per case; the middle run counts, all are shown."""
    lines = [
        f"{'case':34s} {'thr':>3s} {'infini us':>11s} {'cpu us':>11s} {'ratio':>6s} "
        f"{'quartiles':>13s} {'load':>5s} {'target':>6s}     all runs"
    ]
    for figures in zip(*runs, strict=True):
        figure = middle_figure(list(figures))
        target = f"{figure.target:6.2f}" if figure.target else "     -"
        mark = "    " if figure.meets_target else "MISS"
        each = " ".join(f"{one.ratio:.2f}" for one in figures)
        lines.append(
            f"{figure.group + ' ' + figure.name:34s} {figure.threads:3d} "
            f"{figure.infini_us:11.2f} {figure.cpu_us:11.2f} {figure.ratio:6.2f} "
            f"{figure.ratio_low:6.2f}-{figure.ratio_high:6.2f} {figure.load:5.1f} "
            f"{target} {mark} {each}"
        )
    return "\n".join([*lines, "", *means(runs)])


def means(runs: list[list[Figure]]) -> list[str]:
    """Return a line with the geometric mean of each group's ratios, by threads."""
    lines = [f"{'geometric mean':34s} {'thr':>3s} {'rows':>5s} {'ratio':>6s}  all runs"]
    for group, threads in dict.fromkeys((f.group, f.threads) for f in runs[0]):
        of_run = [
            [f.ratio for f in run if (f.group, f.threads) == (group, threads)]
            for run in runs
        ]
        each = [statistics.geometric_mean(ratios) for ratios in of_run]
        shown = " ".join(f"{mean:.3f}" for mean in each)
        lines.append(
            f"{group:34s} {threads:3d} {len(of_run[0]):5d} "
            f"{statistics.median(each):6.3f}  {shown}"
        )
    return lines


def save_json(runs: list[list[Figure]], path: Path, commit: str) -> None:
    """Write all runs with what is needed to read them later."""
    record = {
        "commit": commit,
        "torch": torch.__version__,
        "machine": platform.processor() or platform.machine(),
        "runs": [[figure.to_json() for figure in run] for run in runs],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")


def save_plot(runs: list[list[Figure]], path: Path) -> None:
    """Draw each case's ratio with its quartiles, against 1.0 and the target."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figures = [middle_figure(list(group)) for group in zip(*runs, strict=True)]
    labels = [f"{f.group} {f.name} ({f.threads} thr)" for f in figures]
    chart, axes = pyplot.subplots(figsize=(9, 1 + 0.24 * len(figures)))
    for row, figure in enumerate(figures):
        color = "tab:blue" if figure.meets_target else "tab:red"
        axes.plot([figure.ratio_low, figure.ratio_high], [row, row], color=color, lw=3)
        axes.plot(figure.ratio, row, "o", color=color)
        if figure.target is not None:
            axes.plot(figure.target, row, "|", color="black", markersize=9)
    axes.axvline(1.0, color="gray", lw=1)
    axes.set_yticks(range(len(figures)), labels, fontsize=7)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("time on infini / time on CPU (bar: quartiles, tick: target)")
    axes.set_title("torch-infini against plain PyTorch on the CPU")
    chart.tight_layout()
    chart.savefig(path, dpi=120)
    pyplot.close(chart)
