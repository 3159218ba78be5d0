"""Whether mixed precision can be had at all."""

from torch_infini.infini._device import is_available

__all__ = ["amp_definitely_not_available"]


def amp_definitely_not_available() -> bool:
    """Whether there is no infini device, on which autocast would do nothing."""
    return not is_available()
