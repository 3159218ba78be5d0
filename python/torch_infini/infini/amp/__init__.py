"""``torch.infini.amp``: mixed precision with the names of torch.cuda.amp.

``torch.autocast("infini")`` and ``torch.amp.GradScaler("infini")`` are the same.
"""

from torch_infini.infini.amp import autocast_mode, common, grad_scaler
from torch_infini.infini.amp.autocast_mode import autocast, custom_bwd, custom_fwd
from torch_infini.infini.amp.common import amp_definitely_not_available
from torch_infini.infini.amp.grad_scaler import GradScaler

__all__ = [
    "GradScaler",
    "amp_definitely_not_available",
    "autocast",
    "autocast_mode",
    "common",
    "custom_bwd",
    "custom_fwd",
    "grad_scaler",
]
