"""Device memory: what is used, what is free and what the allocator keeps.

All sizes are bytes. Functions may be called from any thread. A device argument is the
current device by default; an index that names no device raises ``RuntimeError``.
Before the device has started, statistics are empty or 0.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import torch

from torch_infini import _C
from torch_infini.infini._lazy import _lazy_init, is_initialized
from torch_infini.infini._utils import DeviceLike, strict_index

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
]


def mem_get_info(device: DeviceLike = None) -> tuple[int, int]:
    """The free and the total memory of a device, as the runtime reports them."""
    _lazy_init()
    return _C.mem_get_info(strict_index(device))


def empty_cache() -> None:
    """Gives memory that the allocator keeps for reuse back to the runtime."""
    if is_initialized():
        _C.empty_cache()


def memory_stats(device: DeviceLike = None) -> OrderedDict[str, int]:
    """The allocator's statistics of a device.

    Returns:
        Numbers by name, sorted, with the names of :func:`torch.cuda.memory_stats`, e.g.
        ``"allocated_bytes.all.current"``.
    """
    index = strict_index(device)
    if not is_initialized():
        return OrderedDict()
    return OrderedDict(sorted(_C.memory_stats(index).items()))


def memory_stats_as_nested_dict(device: DeviceLike = None) -> dict[str, Any]:
    """As :func:`memory_stats`, with a dictionary for each part of the names."""
    result: dict[str, Any] = {}
    for name, value in memory_stats(device).items():
        *parts, last = name.split(".")
        level = result
        for part in parts:
            level = level.setdefault(part, {})
        level[last] = value
    return result


def memory_allocated(device: DeviceLike = None) -> int:
    """Bytes in use by tensors on a device."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: DeviceLike = None) -> int:
    """The most bytes in use by tensors since the start or the last reset."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: DeviceLike = None) -> int:
    """Bytes that the allocator holds, in use or kept for reuse."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: DeviceLike = None) -> int:
    """The most bytes that the allocator held since the start or the last reset."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def reset_peak_memory_stats(device: DeviceLike = None) -> None:
    """Makes the present use the new peak of every statistic."""
    index = strict_index(device)
    _lazy_init()
    torch._C._accelerator_resetPeakStats(index)


def reset_accumulated_memory_stats(device: DeviceLike = None) -> None:
    """Sets the running totals ``allocated``, ``freed`` and ``num_*`` to 0."""
    index = strict_index(device)
    _lazy_init()
    torch._C._accelerator_resetAccumulatedStats(index)
