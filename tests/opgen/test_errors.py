"""Every malformed input of `errors/` fails as it should; see error_corpus.py."""

from __future__ import annotations

import re

import pytest

from . import error_corpus
from .program import ROOT, opgen_program

CORPUS = error_corpus.load_corpus()
HEADER = ROOT / "opgen" / "text" / "diagnostic_ids.h"


def diagnostic_names() -> set[str]:
    """The names of all diagnostics, as programs see them."""
    ids = re.findall(r"^\s*X\(k(\w+),", HEADER.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() for name in ids}


@pytest.fixture(scope="module")
def outcomes():
    return error_corpus.run_all(CORPUS, opgen_program())


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.id)
def test_case(case, outcomes):
    outcome = outcomes[case.id]
    assert not error_corpus.difference(case, outcome), error_corpus.difference(
        case, outcome
    )
    assert outcome.status == (2 if case.source.stem == "command_line" else 1)
    assert outcome.stderr
    assert bool(outcome.diagnostics) == (outcome.status == 1)


def test_names_are_unique():
    names = [case.id for case in CORPUS]
    assert len(names) == len(set(names))


def test_there_are_many(outcomes):
    messages = {
        entry["message"]
        for outcome in outcomes.values()
        for entry in outcome.diagnostics
    }
    assert len(CORPUS) >= 150
    assert len(messages) >= 80


def test_every_diagnostic_is_reached(outcomes):
    reached = {
        entry["id"] for outcome in outcomes.values() for entry in outcome.diagnostics
    }
    assert diagnostic_names() - reached == set()
    assert reached - diagnostic_names() == set()
