"""Exchange of tensors without a copy: CPU memory, and DLPack by the tensor itself.

:func:`as_cpu` and :func:`from_cpu` give the same memory another device's name. What
DLPack needs beyond capsules, PyTorch knows for its own devices only;
:func:`enable_dlpack` adds infini until :func:`disable_dlpack`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import has_torch_function_unary
from torch.utils.dlpack import DLDeviceType

from torch_infini import _C
from torch_infini.infini._lazy import _lazy_init
from torch_infini.infini._utils import DEVICE_TYPE, DeviceLike, strict_index
from torch_infini.infini.streams import ExternalStream, current_stream, default_stream

__all__ = [
    "as_cpu",
    "disable_dlpack",
    "enable_dlpack",
    "from_cpu",
    "is_dlpack_enabled",
]


def as_cpu(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor on the memory of an infini tensor; nothing is copied.

    Writes to either are seen by both. Each keeps the memory alive, and neither can be
    resized from then on. The result never requires a gradient, as that of
    ``detach()``, and writes to it count for autograd's check of saved tensors.

    Waits for the work submitted so far to the current stream. Where streams run
    asynchronously, wait for later work before you use the result.

    Args:
        tensor: an infini tensor of any shape, strides and dtype.

    Returns:
        A CPU tensor of the same shape, strides and dtype.

    Raises:
        TypeError: no tensor.
        NotImplementedError: the host cannot address the device's memory, or the
            layout is not strided.
        RuntimeError: a tensor of another device, a lazy conjugation or negation, or a
            tensor without memory of its own.
    """
    return _C.as_cpu(_checked("as_cpu", tensor))


def from_cpu(tensor: torch.Tensor, device: DeviceLike = None) -> torch.Tensor:
    """An infini tensor on the memory of a CPU tensor; nothing is copied.

    The counterpart of :func:`as_cpu`, with the same rules. The memory is not counted
    by :func:`torch.infini.memory_allocated`, unless it is device memory that
    :func:`as_cpu` gave.

    Args:
        tensor: a CPU tensor whose storage begins at a multiple of 64 bytes, as those
            do that PyTorch allocates.
        device: the device of the result; the current one by default.

    Returns:
        An infini tensor of the same shape, strides and dtype.

    Raises:
        TypeError: no tensor.
        NotImplementedError: the host cannot address the device's memory, or the
            layout is not strided.
        RuntimeError: a tensor of another device, a lazy conjugation or negation, a
            tensor without memory of its own, or memory that is not aligned.
    """
    _checked("from_cpu", tensor)
    _lazy_init()
    return _C.from_cpu(tensor, strict_index(device))


def _checked(function: str, tensor: object) -> torch.Tensor:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(
            f"torch.infini.{function} expects a torch.Tensor, but got "
            f"{type(tensor).__name__}"
        )
    return tensor


# The methods of torch.Tensor that were replaced, by name; empty: not enabled.
_originals: dict[str, Callable[..., Any]] = {}


def is_dlpack_enabled() -> bool:
    """Whether :func:`enable_dlpack` is in force."""
    return bool(_originals)


def enable_dlpack() -> None:
    """Lets infini tensors take part in DLPack themselves, not only as capsules.

    Replaces ``torch.Tensor.__dlpack_device__`` and ``torch.Tensor.__dlpack__`` by
    functions that answer for infini tensors and call the former ones for all others:

    - ``__dlpack_device__`` gives ``(kDLExtDev, index)``, so ``torch.from_dlpack(x)``
      works.
    - ``__dlpack__(stream=handle)`` makes that stream of InfiniRT (0: the device's
      default stream) wait for the current one.

    Calling it again changes nothing.
    """
    if _originals:
        return
    for name, make in _REPLACEMENTS.items():
        _originals[name] = getattr(torch.Tensor, name)
        setattr(torch.Tensor, name, make(_originals[name]))


def disable_dlpack() -> None:
    """Undoes :func:`enable_dlpack`; does nothing if that is not in force.

    Raises:
        RuntimeError: other code has replaced the methods since; undo that first.
    """
    for name, original in _originals.items():
        if getattr(getattr(torch.Tensor, name), "__wrapped__", None) is not original:
            raise RuntimeError(
                f"torch.infini.disable_dlpack: other code has replaced "
                f"torch.Tensor.{name} since torch.infini.enable_dlpack(); undo that "
                "first"
            )
    while _originals:
        setattr(torch.Tensor, *_originals.popitem())


def _is_plain_infini(tensor: torch.Tensor) -> bool:
    return not has_torch_function_unary(tensor) and tensor.device.type == DEVICE_TYPE


def _make_dlpack_device(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def __dlpack_device__(self: torch.Tensor) -> tuple[DLDeviceType, int]:
        if _is_plain_infini(self):
            return DLDeviceType.kDLExtDev, self.device.index
        return original(self)

    return __dlpack_device__


def _make_dlpack(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def __dlpack__(
        self: torch.Tensor, *, stream: int | None = -1, **kwargs: object
    ) -> object:
        capsule = original(self, stream=stream, **kwargs)
        if _is_plain_infini(self) and stream is not None and stream != -1:
            _make_wait(stream, self.device)
        return capsule

    return __dlpack__


def _make_wait(handle: int, device: torch.device) -> None:
    consumer = default_stream(device) if handle == 0 else ExternalStream(handle, device)
    producer = current_stream(device)
    if consumer != producer:
        consumer.wait_stream(producer)


_REPLACEMENTS = {
    "__dlpack__": _make_dlpack,
    "__dlpack_device__": _make_dlpack_device,
}
