"""Attempts that must be refused: code, the error's type, and a part of its text."""

import pytest


def each(attempts: list[tuple]) -> pytest.MarkDecorator:
    """Calls a test with `code`, `error` and `text` of every attempt."""
    ids = [attempt[0] for attempt in attempts]
    return pytest.mark.parametrize(("code", "error", "text"), attempts, ids=ids)
