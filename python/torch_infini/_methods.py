"""The methods that carry the name of the device: ``infini()`` and ``is_infini``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from torch_infini.infini._utils import DEVICE_TYPE, DeviceLike, strict_index


def generate() -> None:
    """Adds the methods to tensors, modules, packed sequences and storages, once.

    PyTorch generates them. Those that take a device check it first, because the
    generated ones keep only eight bits of an index: ``tensor.infini(256)`` would
    silently mean device 0.
    """
    if hasattr(torch.Tensor, DEVICE_TYPE):
        return
    torch.utils.generate_methods_for_privateuse1_backend(
        for_tensor=True,
        for_module=True,
        for_packed_sequence=True,
        for_storage=True,
    )
    for owner in (torch.Tensor, torch.storage._StorageBase):
        setattr(owner, DEVICE_TYPE, _checking(getattr(owner, DEVICE_TYPE)))


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def infini(
        self: object,
        device: DeviceLike = None,
        non_blocking: bool = False,
        **kwargs: object,
    ) -> object:
        return method(self, strict_index(device), non_blocking, **kwargs)

    return infini
