"""The table of a run, and what failed or could not be judged, by name."""

from collections import Counter

from tests.operators.judge import (
    BY_NAME,
    FAILED,
    PASSED,
    REFUSED,
    REJECTED,
    UNREPEATABLE,
)

# Of statuses of cases, that of the entry; the first that occurs decides.
ORDER = (FAILED, BY_NAME, PASSED, REFUSED, UNREPEATABLE, REJECTED)
REASONS = {
    BY_NAME: "PyTorch's Python code asks for the device named cpu",
    REFUSED: "refused: sparse, quantized or nested",
    UNREPEATABLE: "CPU differs from itself in every case",
    REJECTED: "CPU rejects every case, infini alike",
}


def counts_of(report):
    total = Counter()
    for counts in report["cases"].values():
        total.update(counts)
    return total


def status_of(report):
    """The status of an entry: failed, passed, or why it was skipped."""
    counts = counts_of(report)
    return next((status for status in ORDER if counts[status]), REJECTED)


def row(cells):
    name, dtype, *numbers = cells
    return f"{name:<14}{dtype:<16}" + "".join(f"{n:>13}" for n in numbers)


def line_of(name, dtype, reports):
    entries = Counter(status_of(report) for report in reports)
    cases = Counter()
    for report in reports:
        cases.update(counts_of(report))
    skipped = sum(entries[status] for status in REASONS)
    numbers = [len(reports), entries[PASSED], entries[FAILED], skipped]
    numbers += [cases[status] for status in (PASSED, REJECTED, FAILED)]
    numbers += [cases[UNREPEATABLE], cases[REFUSED]]
    numbers += [sum(report["comparisons"] for report in reports)]
    return row([name, dtype, *numbers])


def table(reports):
    """One line per database and dtype, and their sum."""
    groups = {}
    for report in reports:
        groups.setdefault((report["database"], report["dtype"]), []).append(report)
    titles = ["entries", "passed", "failed", "skipped"]
    titles += ["same values", "same errors", "cases failed"]
    titles += ["CPU differs", "refused", "comparisons"]
    lines = [row(["database", "dtype", *titles])]
    lines += [line_of(*key, group) for key, group in groups.items()]
    return "\n".join([*lines, line_of("all", "", reports)])


def by_mode(reports):
    """Cases by mode."""
    modes = {}
    for report in reports:
        for mode, counts in report["cases"].items():
            modes.setdefault(mode, Counter()).update(counts)
    lines = []
    for mode, counts in sorted(modes.items()):
        shown = ", ".join(f"{counts[s]} {s}" for s in ORDER if counts[s])
        lines.append(f"  {mode:<24}{shown}")
    return "\n".join(lines)


def grouped(reports, status):
    """The names of entries with such cases, with their dtypes."""
    names = {}
    for report in reports:
        if counts_of(report)[status]:
            key = f"{report['database']} {report['name']}"
            names.setdefault(key, []).append(report["dtype"])
    return [f"  {name}: {', '.join(dtypes)}" for name, dtypes in sorted(names.items())]


def skipped(reports):
    """The skipped entries with the reason."""
    lines = []
    for status, reason in REASONS.items():
        names = [
            f"  {r['database']} {r['name']} {r['dtype']}"
            for r in reports
            if status_of(r) == status
        ]
        if names:
            share = 100 * len(names) / len(reports)
            lines += [f"skipped, {reason}: {len(names)} ({share:.2f} %)", *names]
    return "\n".join(lines)


def failures(reports):
    """What failed, with what was found."""
    lines = []
    for report in reports:
        for status, place, detail in report["details"]:
            if status == FAILED:
                name = f"{report['database']} {report['name']} {report['dtype']}"
                lines.append(f"FAILED {name}: {place}: {detail}")
    return "\n".join(lines)


def shares(called):
    """How the operators that infini called were served."""
    total = sum(len(names) for names in called.values())
    parts = [
        f"{len(names)} {provider} ({100 * len(names) / total:.1f} %)"
        for provider, names in sorted(called.items())
    ]
    return f"operators called: {total}; " + ", ".join(parts)


def text(reports, called, fallbacks):
    """The whole of what a run prints at its end."""
    parts = [failures(reports), skipped(reports)]
    for status, title in (
        (UNREPEATABLE, "CPU differs from itself in some case:"),
        (REFUSED, "sparse, quantized or nested in some case, refused by name:"),
    ):
        names = grouped(reports, status)
        if names:
            parts.append("\n".join([title, *names]))
    parts += ["cases by mode:\n" + by_mode(reports), table(reports)]
    samples = sum(report["samples"] for report in reports)
    comparisons = sum(report["comparisons"] for report in reports)
    seconds = sum(report["seconds"] for report in reports)
    parts.append(
        f"{samples} samples, {comparisons} comparisons, {seconds:.0f} s of processor"
    )
    if called:
        parts.append(shares(called))
    parts.append(f"calls that went through copies: {sum(fallbacks.values())}")
    return "\n\n".join(part for part in parts if part)
