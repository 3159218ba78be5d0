"""Gradient scaling on infini."""

import torch
from torch.amp.grad_scaler import OptState

__all__ = ["GradScaler", "OptState"]


class GradScaler(torch.amp.GradScaler):
    """``torch.amp.GradScaler("infini", ...)``.

    Args:
        init_scale: the first factor.
        growth_factor: what the factor grows by.
        backoff_factor: what it shrinks by after an infinite or NaN gradient.
        growth_interval: how many steps without such a gradient make it grow.
        enabled: whether to scale at all.
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        """A scaler; see the class."""
        super().__init__(
            "infini",
            init_scale=init_scale,
            growth_factor=growth_factor,
            backoff_factor=backoff_factor,
            growth_interval=growth_interval,
            enabled=enabled,
        )
