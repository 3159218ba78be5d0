"""The profile: which symbols are required, planned or excluded.

docs/conformance.md describes the format. Everything that is not exactly as described
there raises ProfileError with the place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROFILE_VERSION = 1
CLASSES = ("required", "planned", "excluded")


class ProfileError(Exception):
    """The profile is malformed; the text names the place."""


@dataclass(frozen=True)
class Entry:
    """One classified symbol, named relative to its module."""

    name: str
    classification: str
    reason: str = ""
    spelling: str = ""


@dataclass(frozen=True)
class Profile:
    """A validated profile."""

    pytorch: str
    reference: str
    candidate: str
    package: str
    symbols: dict[str, Entry]
    additions: dict[str, Entry]

    def candidate_name(self, name: str) -> str:
        """The name under the candidate; members follow a class that is renamed."""
        entry = self.symbols.get(name)
        if entry is not None and entry.spelling:
            return entry.spelling
        parent, dot, leaf = name.rpartition(".")
        return f"{self.candidate_name(parent)}.{leaf}" if dot else name


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ProfileError(f"key '{key}' appears twice in one object")
        result[key] = value
    return result


def _check_keys(
    value: object, place: str, required: set[str], optional: set[str]
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ProfileError(f"{place}: expected an object, found {type(value).__name__}")
    missing = sorted(required - value.keys())
    if missing:
        raise ProfileError(f"{place}: missing key '{missing[0]}'")
    unknown = sorted(value.keys() - required - optional)
    if unknown:
        known = ", ".join(sorted(required | optional))
        raise ProfileError(f"{place}: unknown key '{unknown[0]}'; known are {known}")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise ProfileError(f"{place}: expected a string, found {type(value).__name__}")
    if not value.strip():
        raise ProfileError(f"{place}: expected a text, found an empty string")
    return value


def _symbol_name(value: object, place: str) -> str:
    name = _text(value, place)
    if not all(part.isidentifier() for part in name.split(".")):
        raise ProfileError(f"{place}: '{name}' is not a dotted Python name")
    return name


def _parse_symbol(value: object, place: str) -> Entry:
    item = _check_keys(value, place, {"name", "class"}, {"reason", "as"})
    name = _symbol_name(item["name"], f"{place}.name")
    place = f"{place} ('{name}')"
    classification = _text(item["class"], f"{place}.class")
    if classification not in CLASSES:
        known = ", ".join(CLASSES)
        raise ProfileError(
            f"{place}.class: unknown class '{classification}'; known are {known}"
        )
    if classification == "excluded" and "reason" not in item:
        raise ProfileError(f"{place}: an excluded symbol needs a reason")
    if classification == "excluded" and "as" in item:
        raise ProfileError(f"{place}: an excluded symbol has no other spelling")
    reason = _text(item["reason"], f"{place}.reason") if "reason" in item else ""
    spelling = _symbol_name(item["as"], f"{place}.as") if "as" in item else ""
    return Entry(name, classification, reason, spelling)


def _parse_addition(value: object, place: str) -> Entry:
    item = _check_keys(value, place, {"name", "reason"}, set())
    name = _symbol_name(item["name"], f"{place}.name")
    return Entry(name, "required", _text(item["reason"], f"{place}.reason"))


def _parse_entries(value: object, place: str) -> dict[str, Entry]:
    if not isinstance(value, list):
        raise ProfileError(f"{place}: expected a list, found {type(value).__name__}")
    parse = _parse_symbol if place == "symbols" else _parse_addition
    seen: dict[str, int] = {}
    result: dict[str, Entry] = {}
    for index, item in enumerate(value):
        entry = parse(item, f"{place}[{index}]")
        if entry.name in seen:
            raise ProfileError(
                f"{place}[{index}]: '{entry.name}' is already classified at "
                f"{place}[{seen[entry.name]}]"
            )
        seen[entry.name] = index
        result[entry.name] = entry
    return result


def parse_profile(text: str) -> Profile:
    """Read a profile from JSON text; raises ProfileError that names the place."""
    try:
        data = json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        raise ProfileError(
            f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise ProfileError("the JSON is nested too deeply") from None
    names = {"version", "pytorch", "reference", "candidate", "package", "symbols"}
    _check_keys(data, "profile", names, {"additions"})
    version = data["version"]
    if isinstance(version, bool) or not isinstance(version, int):
        raise ProfileError("version: expected a whole number")
    if version != PROFILE_VERSION:
        raise ProfileError(
            f"version: {version} is not supported; this tool reads {PROFILE_VERSION}"
        )
    symbols = _parse_entries(data["symbols"], "symbols")
    if not symbols:
        raise ProfileError("symbols: the list is empty")
    return Profile(
        pytorch=_text(data["pytorch"], "pytorch"),
        reference=_symbol_name(data["reference"], "reference"),
        candidate=_symbol_name(data["candidate"], "candidate"),
        package=_symbol_name(data["package"], "package"),
        symbols=symbols,
        additions=_parse_entries(data.get("additions", []), "additions"),
    )


def load_profile(path: Path) -> Profile:
    """Read a profile file; raises ProfileError that names file and place."""
    try:
        return parse_profile(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: cannot be read: {error}") from None
    except ProfileError as error:
        raise ProfileError(f"{path}: {error}") from None
