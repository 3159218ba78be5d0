"""Choices that PyTorch's Python code looks up by the name of the device."""

from __future__ import annotations

import torch

from torch_infini.infini._utils import DEVICE_TYPE


def add() -> None:
    """Makes infini's choices those of the CPU, whose results it reproduces.

    ``torch.nn.functional.linear_cross_entropy`` looks its chunk sizes up in a table by
    device type and dtype. Rows for infini that are there already are left alone.
    PyTorch 2.12 has no such table.
    """
    options = getattr(torch.nn.modules, "linear_cross_entropy_options", None)
    table = getattr(options, "_AUTO_DEFAULTS", {})
    for (device, dtype), choice in list(table.items()):
        if device == "cpu":
            table.setdefault((DEVICE_TYPE, dtype), choice)
