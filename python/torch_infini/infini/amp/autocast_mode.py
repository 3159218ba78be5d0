"""Autocast regions for infini, and custom autograd functions in them."""

from collections.abc import Callable
from typing import Any

import torch

__all__ = ["autocast", "custom_bwd", "custom_fwd"]


class autocast(torch.amp.autocast):
    """``torch.autocast("infini", ...)``, a context manager and a decorator.

    Args:
        enabled: whether operators cast in the region.
        dtype: torch.float16 or torch.bfloat16.
        cache_enabled: whether casts of parameters are kept until the region ends.
    """

    def __init__(
        self,
        enabled: bool = True,
        dtype: torch.dtype = torch.float16,
        cache_enabled: bool = True,
    ) -> None:
        """A region; see the class."""
        super().__init__(
            "infini", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled
        )


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, cast_inputs: torch.dtype | None = None
) -> Callable[..., Any]:
    """``torch.amp.custom_fwd(..., device_type="infini")``."""
    return torch.amp.custom_fwd(fwd, device_type="infini", cast_inputs=cast_inputs)


def custom_bwd(bwd: Callable[..., Any]) -> Callable[..., Any]:
    """``torch.amp.custom_bwd(..., device_type="infini")``."""
    return torch.amp.custom_bwd(bwd, device_type="infini")
