"""Fixtures of the models suite."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread():
    """Small models gain nothing from more threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
