"""The report as JSON and as Markdown, and files replaced as a whole."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from api_gaps.compare import Report, ReportError, Row, missing_required, summarise
from api_gaps.profile import CLASSES


def to_json(report: Report) -> str:
    """The report as JSON, one key order, newline at the end."""
    data = {
        "format": 1,
        "reference": report.profile.reference,
        "candidate": report.profile.candidate,
        "pytorch": report.pytorch,
        "summary": summarise(report),
        "missing_required": [row.name for row in missing_required(report)],
        "unclassified": [row.name for row in report.named("unclassified")],
        "not_in_this_pytorch": report.stale,
        "symbols": [row_to_json(row) for row in report.rows],
        "additions": [row_to_json(row) for row in report.additions],
    }
    return json.dumps(data, indent=2) + "\n"


def row_to_json(row: Row) -> dict[str, str]:
    """One symbol as JSON; the optional keys only where they say something."""
    item = {
        "name": row.name,
        "kind": row.kind,
        "class": row.classification,
        "status": row.status,
    }
    if row.candidate_name and row.candidate_name != row.name:
        item["as"] = row.candidate_name
    if row.reason:
        item["reason"] = row.reason
    return item


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    if not rows:
        return ["None.", ""]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for row in rows:
        cells = (cell.replace("|", "\\|").replace("\n", " ") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def summary_lines(report: Report) -> list[str]:
    """The counts per class and one sentence, as Markdown lines."""
    summary = summarise(report)
    rows = [
        [
            name,
            str(item["symbols"]),
            f"{item['percent_of_surface']} %",
            str(item["present"]),
            f"{item['percent_present']} %",
        ]
        for name, item in summary["classes"].items()
    ]
    calls = summary["public_callables"]
    text = (
        f"Of {calls['total']} public callables directly in "
        f"{report.profile.reference}, {calls['required_or_planned']} "
        f"({calls['percent_required_or_planned']} %) are required or planned and "
        f"{calls['present']} ({calls['percent_present']} %) are present."
    )
    return [
        *_table(["class", "symbols", "share", "present", "of the class"], rows),
        text,
        "",
    ]


def to_markdown(report: Report) -> str:
    """The report as a Markdown page."""
    profile = report.profile
    lines = [f"# {profile.candidate} beside {profile.reference}", ""]
    lines += [f"PyTorch {report.pytorch}, {len(report.rows)} public symbols.", ""]
    lines += summary_lines(report)
    lines += ["## Missing required symbols", ""]
    gaps = [[f"`{r.name}`", r.kind, r.status] for r in missing_required(report)]
    lines += _table(["symbol", "kind", "status"], gaps)
    for name in (*CLASSES, "unclassified"):
        lines += [f"## {name.capitalize()}", ""]
        rows = [[f"`{r.name}`", r.kind, r.status, r.reason] for r in report.named(name)]
        lines += _table(["symbol", "kind", "status", "note"], rows)
    lines += [f"## Only in {profile.candidate}", ""]
    rows = [[f"`{r.name}`", r.status, r.reason] for r in report.additions]
    lines += _table(["symbol", "status", "note"], rows)
    lines += ["## In the profile, not in this PyTorch", ""]
    lines += _table(["symbol"], [[f"`{name}`"] for name in report.stale])
    return "\n".join(lines).rstrip() + "\n"


def write_file(path: Path, text: str) -> None:
    """Replace a file as a whole; raises ReportError when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error}") from None
