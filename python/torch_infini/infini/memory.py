"""Device memory: what is used, what is free and what the allocator keeps.

All sizes are bytes. Functions may be called from any thread. A device argument is the
current device by default; an index that names no device raises ``RuntimeError``.
Before the device has started, statistics are empty or 0.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import torch
from typing_extensions import deprecated

from torch_infini import _C
from torch_infini.infini._lazy import _lazy_init, is_initialized
from torch_infini.infini._missing import describe_missing
from torch_infini.infini._utils import DeviceLike, strict_index

__all__ = [
    "empty_cache",
    "get_per_process_memory_fraction",
    "host_memory_stats",
    "host_memory_stats_as_nested_dict",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "memory_summary",
    "reset_accumulated_host_memory_stats",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_host_memory_stats",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
]

_fractions: dict[int, float] = {}


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
    return _nested(memory_stats(device))


def _nested(stats: OrderedDict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in stats.items():
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


def memory_snapshot(
    mempool_id: tuple[int, int] | None = None, include_traces: bool = True
) -> list[dict[str, Any]]:
    """The segments that the allocator holds on all devices, with their blocks.

    Each is a dictionary with the names of :func:`torch.cuda.memory_snapshot`.
    ``{"segments": memory_snapshot(), "device_traces": []}`` is what
    ``torch.cuda._memory_viz`` draws.

    Args:
        mempool_id: ``None``; infini has no memory pools.
        include_traces: has no effect, because there are no traces.

    Raises:
        NotImplementedError: a memory pool was asked for.
    """
    if mempool_id is not None:
        raise NotImplementedError(
            f"torch.infini.memory_snapshot: memory pool {mempool_id} was asked for, "
            "but infini has no memory pools; leave mempool_id out"
        )
    return _C.memory_snapshot() if is_initialized() else []


def _snapshot(device: DeviceLike = None) -> dict[str, Any]:
    """What ``torch.cuda._memory_viz`` reads: the segments, and no history.

    Args:
        device: leave out the segments of other devices; all devices by default.
    """
    segments = memory_snapshot()
    if device is not None:
        index = strict_index(device)
        segments = [segment for segment in segments if segment["device"] == index]
    return {"segments": segments, "device_traces": []}


def _dump_snapshot(filename: str | Path = "dump_snapshot.pickle") -> None:
    """Writes :func:`_snapshot` to a file, for PyTorch's viewer of memory snapshots."""
    with open(filename, "wb") as file:
        pickle.dump(_snapshot(), file)


def host_memory_stats() -> OrderedDict[str, int]:
    """The statistics of pinned memory, with torch.cuda's names.

    ``allocations`` and ``allocated_bytes`` are of blocks that the allocator holds,
    ``active_requests`` and ``active_bytes`` of those that tensors use or copies wait
    for. Times are microseconds.
    """
    if not is_initialized():
        return OrderedDict()
    return OrderedDict(sorted(_C.host_memory_stats().items()))


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """As :func:`host_memory_stats`, with a dictionary for each part of the names."""
    return _nested(host_memory_stats())


def reset_peak_host_memory_stats() -> None:
    """Makes the present use of pinned memory the new peak."""
    _C.reset_host_memory_stats(True)


def reset_accumulated_host_memory_stats() -> None:
    """Sets the running totals of pinned memory to 0."""
    _C.reset_host_memory_stats(False)


@deprecated(
    "`torch.infini.memory_cached` has been renamed to `torch.infini.memory_reserved`",
    category=FutureWarning,
)
def memory_cached(device: DeviceLike = None) -> int:
    """Deprecated; see :func:`memory_reserved`."""
    return memory_reserved(device)


@deprecated(
    "`torch.infini.max_memory_cached` has been renamed to "
    "`torch.infini.max_memory_reserved`",
    category=FutureWarning,
)
def max_memory_cached(device: DeviceLike = None) -> int:
    """Deprecated; see :func:`max_memory_reserved`."""
    return max_memory_reserved(device)


@deprecated(
    "`torch.infini.reset_max_memory_allocated` is "
    "`torch.infini.reset_peak_memory_stats`, which resets all peaks",
    category=FutureWarning,
)
def reset_max_memory_allocated(device: DeviceLike = None) -> None:
    """Deprecated; see :func:`reset_peak_memory_stats`."""
    reset_peak_memory_stats(device)


@deprecated(
    "`torch.infini.reset_max_memory_cached` is "
    "`torch.infini.reset_peak_memory_stats`, which resets all peaks",
    category=FutureWarning,
)
def reset_max_memory_cached(device: DeviceLike = None) -> None:
    """Deprecated; see :func:`reset_peak_memory_stats`."""
    reset_peak_memory_stats(device)


def memory_summary(device: DeviceLike = None, abbreviated: bool = False) -> str:
    """A table of :func:`memory_stats` for people; ``abbreviated`` leaves counts out."""
    stats = memory_stats(device)
    rows = [
        ("allocated memory", "allocated_bytes", True),
        ("reserved memory", "reserved_bytes", True),
        ("free in segments", "inactive_split_bytes", True),
        ("allocations", "allocation", False),
        ("segments", "segment", False),
    ]
    columns = ("current", "peak", "allocated", "freed")
    head = " | ".join(f"{name:>12}" for name in ("now", "peak", "total", "freed"))
    lines = [f"torch.infini memory of device {strict_index(device)}", ""]
    lines.append(f"{'':18} | {head}")
    for title, name, is_bytes in rows[: 3 if abbreviated else None]:
        values = [stats.get(f"{name}.all.{column}", 0) for column in columns]
        cells = [_readable(value) if is_bytes else str(value) for value in values]
        lines.append(f"{title:18} | " + " | ".join(f"{cell:>12}" for cell in cells))
    for title, name in (
        ("retries", "num_alloc_retries"),
        ("out of memory", "num_ooms"),
    ):
        lines.append(f"{title:18} | {stats.get(name, 0):>12}")
    return "\n".join(lines) + "\n"


def _readable(nbytes: int) -> str:
    value = float(nbytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(value) < 10240 or unit == "GiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}"


def set_per_process_memory_fraction(fraction: float, device: DeviceLike = None) -> None:
    """Limits what the allocator may reserve to a part of the device's memory.

    Allocations beyond it raise ``torch.OutOfMemoryError``; what is reserved already
    stays. A fraction of 1 is no limit but the memory itself.

    Raises:
        TypeError: ``fraction`` is no float.
        ValueError: it is not between 0 and 1.
    """
    index = strict_index(device)
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if not 0 <= fraction <= 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _lazy_init()
    total = _C.mem_get_info(index)[1]
    _C.set_memory_limit(index, int(total * fraction))
    _fractions[index] = fraction


def get_per_process_memory_fraction(device: DeviceLike = None) -> float:
    """What :func:`set_per_process_memory_fraction` was told, 1.0 at first."""
    return _fractions.get(strict_index(device), 1.0)


def __getattr__(name: str) -> object:
    raise AttributeError(describe_missing("torch.infini.memory", name))
