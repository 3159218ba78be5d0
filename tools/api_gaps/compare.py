"""Beside a profile and a surface, what a candidate module offers."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any

from api_gaps.profile import CLASSES, Entry, Profile

MISSING = object()


class ReportError(Exception):
    """The report cannot be made."""


@dataclass
class Row:
    """What is known of one symbol."""

    name: str
    kind: str
    classification: str
    status: str
    reason: str = ""
    candidate_name: str = ""


@dataclass
class Report:
    """All rows, sorted by name."""

    profile: Profile
    pytorch: str
    rows: list[Row] = field(default_factory=list)
    additions: list[Row] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def named(self, classification: str, status: str | None = None) -> list[Row]:
        """The rows of a class, optionally only those of a status."""
        return [
            row
            for row in self.rows
            if row.classification == classification and status in (None, row.status)
        ]

    def public_callables(self) -> list[Row]:
        """The functions and classes that stand directly in the reference module."""
        return [
            row
            for row in self.rows
            if "." not in row.name and row.kind in ("class", "function")
        ]


def resolve(root: object, name: str) -> object:
    """The attribute that a dotted name leads to, or MISSING."""
    value = root
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            return MISSING
    return value


def import_candidate(profile: Profile) -> object:
    """Import the plugin and return its module, such as torch.infini."""
    try:
        importlib.import_module(profile.package)
        parent, _, name = profile.candidate.rpartition(".")
        return getattr(importlib.import_module(parent), name)
    except Exception as error:
        raise ReportError(
            f"cannot import {profile.package}, so nothing can be said about "
            f"{profile.candidate}: {type(error).__name__}: {error}"
        ) from error


def _status(kind: str, value: object) -> str:
    if value is MISSING:
        return "missing"
    if kind in ("class", "function") and not callable(value):
        return "not callable"
    return "present"


def build_report(
    profile: Profile, surface: dict[str, str], candidate: object
) -> Report:
    """Classify the whole surface and look each symbol up in the candidate."""
    report = Report(profile, importlib.import_module("torch").__version__)
    for name, kind in surface.items():
        entry = profile.symbols.get(name, Entry(name, "unclassified"))
        spelling = profile.candidate_name(name)
        status = _status(kind, resolve(candidate, spelling))
        report.rows.append(
            Row(name, kind, entry.classification, status, entry.reason, spelling)
        )
    for name, entry in sorted(profile.additions.items()):
        status = _status("data", resolve(candidate, name))
        report.additions.append(Row(name, "addition", "required", status, entry.reason))
    report.stale = sorted(profile.symbols.keys() - surface.keys())
    return report


def share(part: int, whole: int) -> float:
    """A percentage with one decimal; 0.0 of nothing."""
    return round(100.0 * part / whole, 1) if whole else 0.0


def summarise(report: Report) -> dict[str, Any]:
    """Counts per class, and the shares of the public callables."""
    counts: dict[str, Any] = {}
    for name in (*CLASSES, "unclassified"):
        rows = report.named(name)
        present = len(report.named(name, "present"))
        counts[name] = {
            "symbols": len(rows),
            "present": present,
            "percent_of_surface": share(len(rows), len(report.rows)),
            "percent_present": share(present, len(rows)),
        }
    callables = report.public_callables()
    followed = [r for r in callables if r.classification in ("required", "planned")]
    present = [r for r in callables if r.status == "present"]
    return {
        "surface": len(report.rows),
        "classes": counts,
        "public_callables": {
            "total": len(callables),
            "required_or_planned": len(followed),
            "percent_required_or_planned": share(len(followed), len(callables)),
            "present": len(present),
            "percent_present": share(len(present), len(callables)),
        },
    }


def missing_required(report: Report) -> list[Row]:
    """Required symbols and additions that are missing or of the wrong kind."""
    rows = report.named("required") + report.additions
    return [row for row in rows if row.status != "present"]
