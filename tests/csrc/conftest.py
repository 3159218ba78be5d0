"""Fixtures for the tests of the extension's C++ sources."""

import pytest


@pytest.fixture
def fake():
    """The fake runtime's counters, where `on_fake` runs the body."""
