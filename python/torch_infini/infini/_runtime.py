"""What serves this device, and the two switches of the operator layer.

The switches hold for the whole process and may be changed from any thread; a change
applies to operators that start afterwards.
"""

from __future__ import annotations

from typing import Any

from torch_infini import _C


def runtime_backend() -> dict[str, Any]:
    """The runtime backend in use and the libraries behind it.

    Returns:
        ``name`` of the backend ("cpu", ...), ``device_count``, ``embedded`` (whether
        both libraries are of the kind built with this package), ``capabilities`` (a
        list of names), and ``runtime`` and ``operators``, each a dictionary with the
        ``library``, its ``path`` and the ``extension_version`` that it offers beyond
        the upstream interface (``None`` for an upstream library).
    """
    return _C.runtime_backend()


def operators() -> list[tuple[str, str]]:
    """Every operator that the device implements, with who computes it.

    Returns:
        Pairs of a name with its overload ("aten::add.Tensor") and its first provider:
        "native" (written for this device), "infiniops", "host" (PyTorch's CPU kernel on
        device memory) or "composite" (PyTorch makes it of other operators).
    """
    return _C.operators()


def provider_counts() -> list[tuple[str, str, int]]:
    """How often each provider has computed each operator in this process.

    Returns:
        Triples of a name with its overload, the provider ("infiniops", "host",
        "fallback") and the number of calls. Native kernels are not counted.
    """
    return _C.provider_counts()


def set_fallback(mode: str) -> None:
    """Says what happens to an operator that the device does not implement.

    Args:
        mode: ``"off"`` raises ``NotImplementedError``; ``"on"`` copies the operands to
            the CPU, computes there and copies the results back; ``"warn"`` does so
            too, with one warning per operator. The environment variable
            ``INFINI_FALLBACK`` gives the mode to start with, ``"off"`` by default.

    Raises:
        TypeError: not a string.
        ValueError: another mode.
    """
    _C.set_fallback(_checked_mode(mode))


def get_fallback() -> str:
    """The mode that :func:`set_fallback` set."""
    return _C.get_fallback()


def fallback_counts() -> dict[str, int]:
    """How often each operator was computed on the CPU after copying its operands."""
    return _C.fallback_counts()


def set_numerics(mode: str) -> None:
    """Chooses between PyTorch's exact results and faster kernels.

    Args:
        mode: with ``"exact"``, a device on which PyTorch's CPU kernels can run gives
            their results bit for bit; with ``"fast"``, kernels that are faster and
            differ within a stated bound go first. The environment variable
            ``INFINI_NUMERICS`` gives the mode to start with, ``"exact"`` by default.

    Raises:
        TypeError: not a string.
        ValueError: another mode.
    """
    _C.set_numerics(_checked_mode(mode))


def get_numerics() -> str:
    """The mode that :func:`set_numerics` set."""
    return _C.get_numerics()


def _checked_mode(mode: str) -> str:
    if not isinstance(mode, str):
        raise TypeError(
            f"Expected a mode as a string, but got {mode!r} of type "
            f"{type(mode).__name__}"
        )
    return mode
