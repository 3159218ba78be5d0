"""Devices: how many there are, which one is current, and what they are.

The current device belongs to the calling thread and starts as 0.
"""

from __future__ import annotations

from types import TracebackType
from typing import Literal

import torch

from torch_infini import _C
from torch_infini.infini._lazy import _lazy_init
from torch_infini.infini._utils import (
    DEVICE_TYPE,
    DeviceLike,
    checked_index,
    existing_index,
    strict_index,
)

_exchange_device = _C.exchange_device
_maybe_exchange_device = _C.exchange_device


def is_available() -> bool:
    """Whether at least one infini device can be used. Never raises.

    Asking selects the runtime backend: a child forked later cannot use the device.
    """
    return _C.is_available()


def device_count() -> int:
    """The number of infini devices, 0 if there is none.

    Asking selects the runtime backend: a child forked later cannot use the device.
    """
    return _C.device_count()


def current_device() -> int:
    """The index of the calling thread's current device."""
    _lazy_init()
    return _C.current_device()


def set_device(device: DeviceLike) -> None:
    """Makes a device the calling thread's current one.

    The context manager :class:`torch.infini.device` is usually the better choice.

    Args:
        device: the device; nothing happens if it is a negative integer.

    Raises:
        RuntimeError: no such device.
    """
    index = checked_index(device)
    if index >= 0:
        _lazy_init()
        _C.set_device(index)


class device:
    """Context manager that changes the calling thread's current device.

    Args:
        device: the device; nothing changes if it is a negative integer or ``None``.

    Raises:
        RuntimeError: no such device.
    """

    def __init__(self, device: DeviceLike) -> None:
        """Checks the device; it becomes current when the context is entered."""
        self.idx = -1 if device is None else checked_index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        """Makes the device current and remembers the previous one."""
        if self.idx >= 0:
            _lazy_init()
        self.prev_idx = _C.exchange_device(self.idx)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        """Makes the previous device current again."""
        if self.idx >= 0:
            _C.exchange_device(self.prev_idx)
        return False

    @property
    def _infini_index(self) -> int:
        return self.idx


class device_of(device):
    """Context manager that makes an object's device the current one.

    Args:
        obj: a tensor or a storage; nothing changes if it is not on an infini device.
    """

    def __init__(self, obj: torch.Tensor | torch.UntypedStorage) -> None:
        """Reads the object's device."""
        on_infini = obj.device.type == DEVICE_TYPE
        super().__init__(obj.device.index if on_infini else -1)


def get_device_properties(device: DeviceLike = None) -> _C.DeviceProperties:
    """What the runtime knows about a device.

    Args:
        device: the device, the current one by default.

    Returns:
        An object with ``name``, ``total_memory`` (bytes), ``multi_processor_count``,
        ``major`` and ``minor``.

    Raises:
        RuntimeError: no such device; negative indices are refused too.
    """
    _lazy_init()
    return _C.device_properties(strict_index(device))


def get_device_name(device: DeviceLike = None) -> str:
    """The name of a device, the current one by default."""
    return get_device_properties(device).name


def get_device_capability(device: DeviceLike = None) -> tuple[int, int]:
    """The capability ``(major, minor)`` of a device, the current one by default.

    Its meaning is the runtime backend's own.
    """
    properties = get_device_properties(device)
    return properties.major, properties.minor


def can_device_access_peer(device: DeviceLike, peer_device: DeviceLike) -> bool:
    """Whether one device can address another's memory directly.

    Always ``False``: InfiniRT has no such access, and a device is not its own peer.

    Raises:
        RuntimeError: no such device; negative indices are refused too.
    """
    _lazy_init()
    strict_index(device)
    strict_index(checked_index(peer_device))
    return False


def synchronize(device: DeviceLike = None) -> None:
    """Waits until all work on all streams of a device has finished.

    Args:
        device: the device; the current one if it is ``None`` or a negative integer.

    Raises:
        RuntimeError: no such device, or work on it has failed.
    """
    _lazy_init()
    _C.synchronize(existing_index(device))


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether tensors of bfloat16 work on the device.

    Args:
        including_emulation: count a device that computes bfloat16 through float32.
    """
    return including_emulation and _C.is_available()


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The types that ``torch.autocast("infini", dtype=...)`` accepts."""
    return [torch.bfloat16, torch.float16]
