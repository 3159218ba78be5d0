"""Each attempt of this folder runs on a device that must be intact afterwards."""

from __future__ import annotations

import copy
import gc
import io
import pickle

import numpy as np
import pytest
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from torch import nn


def _intact() -> None:
    x = torch.arange(4.0, device="infini")
    assert torch.equal((x + x * 2).cpu(), torch.arange(4.0) * 3)
    assert torch.infini.current_device() == 0
    assert torch.infini.current_stream() == torch.infini.default_stream()
    assert torch.get_default_device() == torch.device("cpu")


@pytest.fixture(autouse=True)
def device_intact():
    """Fails a test after which the device computes wrong or memory is lost."""
    before = torch.infini.memory_allocated()
    yield
    _intact()
    if torch.infini.memory_allocated() > before:
        gc.collect()
    assert torch.infini.memory_allocated() <= before


def saved(value: object) -> io.BytesIO:
    """What torch.save writes, to be read."""
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


def make_names() -> dict:
    """What the attempts' code may use."""
    return {
        "torch": torch,
        "nn": nn,
        "np": np,
        "copy": copy,
        "pickle": pickle,
        "saved": saved,
        "D": "infini",
        "x": torch.ones(3, device="infini"),
        "m": torch.ones(3, 3, device="infini"),
        "i": torch.tensor([0, 1], device="infini"),
        "c": torch.ones(3),
        "cm": torch.ones(3, 3),
        "ci": torch.tensor([0, 1]),
        "leaf": torch.ones(3, device="infini", requires_grad=True),
    }


@pytest.fixture
def names():
    """The names of one test; they hold no memory afterwards."""
    values = make_names()
    yield values
    values.clear()


@pytest.fixture
def refused(names):
    """Runs code that must raise exactly this error with this text in its message."""

    def run(code: str, error: type[Exception], text: str) -> None:
        with pytest.raises(error) as caught:
            exec(code, names)
        message = str(caught.value)
        assert caught.type is error, f"{caught.type.__name__}: {message}"
        assert text in message

    return run


@pytest.fixture
def accepted(names):
    """Runs code that must not raise."""

    def run(code: str) -> None:
        exec(code, names)

    return run
