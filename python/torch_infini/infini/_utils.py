"""Device arguments: what names a device, and the checks that every index passes.

Invariant: an index that leaves this module names an existing device, or is negative
where the caller allows it, except from :func:`_get_device_index`. It is never narrowed:
the extension sees the user's number.
"""

from __future__ import annotations

import operator
from typing import Protocol, SupportsIndex, TypeAlias

import torch

from torch_infini import _C

DEVICE_TYPE = "infini"


class HasDeviceIndex(Protocol):
    """An object that stands for a device, such as the context manager ``device``."""

    _infini_index: int


# What public functions take as a device; None is the current one.
DeviceLike: TypeAlias = SupportsIndex | str | torch.device | HasDeviceIndex | None


def _index_of_string(text: str) -> int | None:
    # torch.device keeps eight bits of the index, so "infini:256" would be device 0.
    kind, separator, digits = text.partition(":")
    torch.device(kind if digits.isdecimal() else text)
    if kind != DEVICE_TYPE:
        raise ValueError(f"Expected an infini device, but got: {text}")
    return int(digits) if separator else None


def _index_of_object(device: DeviceLike) -> int | None:
    if isinstance(device, str):
        return _index_of_string(device)
    if isinstance(device, torch.device):
        if device.type != DEVICE_TYPE:
            raise ValueError(f"Expected an infini device, but got: {device}")
        return device.index
    if not isinstance(device, bool | torch.Tensor):
        try:
            return operator.index(device)
        except TypeError:
            pass
    raise TypeError(
        "Expected an infini device (an int, a string such as 'infini:0', a "
        f"torch.device or None), but got {device!r} of type {type(device).__name__}"
    )


def invalid_index(index: int, count: int) -> RuntimeError:
    """The error for an index that names no device, in the extension's words."""
    there = (
        "is 1 infini device (infini:0)" if count == 1 else f"are {count} infini devices"
    )
    return RuntimeError(f"infini device index {index} is out of range: there {there}")


def _get_device_index(
    device: DeviceLike, optional: bool = False, allow_cpu: bool = False
) -> int:
    """As :func:`checked_index`, but the index need not name a device.

    PyTorch asks this when it loads a tensor, and has its own error for an index or a
    device that is not there.

    Raises:
        TypeError: not one of the forms that name a device.
        ValueError: a device of another type, or no index and ``optional`` is not set.
    """
    if hasattr(device, "_infini_index"):
        return device._infini_index
    if allow_cpu and str(device) == "cpu":
        return -1
    index = None if device is None else _index_of_object(device)
    if index is not None:
        return index
    if not optional:
        raise ValueError(
            "Expected a torch.device with a specified index or an integer, but "
            f"got: {device}"
        )
    return _C.current_device() if _C.is_available() else 0


def checked_index(
    device: DeviceLike, optional: bool = False, allow_cpu: bool = False
) -> int:
    """Turns a device argument into an index.

    Args:
        device: an integer, a string such as ``"infini:0"``, a :class:`torch.device`, a
            :class:`torch.infini.device` or ``None``.
        optional: if ``True``, ``None`` and ``"infini"`` mean the current device of the
            calling thread; otherwise they are refused.
        allow_cpu: if ``True``, the CPU is accepted and gives -1.

    Returns:
        The index. Negative only if the caller passed a negative integer, or for the
        CPU.

    Raises:
        TypeError: not one of the above; ``bool`` and ``float`` are refused.
        ValueError: a device of another type, or no index and ``optional`` is not set.
        RuntimeError: no such device.
    """
    index = _get_device_index(device, optional, allow_cpu)
    if index >= 0 and index >= (count := _C.device_count()):
        if count == 0:
            _C.current_device()  # raises, and says why there is none
        raise invalid_index(index, count)
    return index


def existing_index(device: DeviceLike) -> int:
    """As :func:`checked_index`, optional; a negative index is the current device.

    This is what torch.cuda makes of a negative index in ``synchronize``,
    ``current_stream`` and other queries that need a device.
    """
    index = _C.current_device() if device is None else checked_index(device, True)
    return index if index >= 0 else _C.current_device()


def strict_index(device: DeviceLike) -> int:
    """As :func:`checked_index`, optional; a negative index is refused.

    Raises:
        RuntimeError: no such device, negative indices included.
    """
    index = checked_index(device, optional=True)
    if index < 0:
        raise invalid_index(index, _C.device_count())
    return index
