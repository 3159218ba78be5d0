"""Random state of infini devices, with the names and meaning of torch.cuda.random's.

Every device has one default generator. ``torch.manual_seed`` seeds all of them. All
functions may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from torch_infini import _C
from torch_infini.infini._device import current_device, device_count
from torch_infini.infini._lazy import _lazy_call, _lazy_init, is_initialized
from torch_infini.infini._utils import DEVICE_TYPE, DeviceLike, strict_index

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]

_SEED_RANGE = (-(1 << 63), (1 << 64) - 1)


def _checked_seed(seed: int) -> int:
    # PyTorch's rule: negative seeds are counted from the top of the unsigned range.
    seed = int(seed)
    if not _SEED_RANGE[0] <= seed <= _SEED_RANGE[1]:
        raise RuntimeError(
            f"Overflow when unpacking long long: seed {seed} is outside "
            "[-0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff]"
        )
    return seed & _SEED_RANGE[1]


def get_rng_state(device: DeviceLike = DEVICE_TYPE) -> Tensor:
    """The state of a device's generator.

    Args:
        device: the device, the current one by default.

    Returns:
        A uint8 tensor on the CPU, which :func:`set_rng_state` accepts.
    """
    _lazy_init()
    return _C.get_rng_state(strict_index(device))


def get_rng_state_all() -> list[Tensor]:
    """The states of all devices' generators."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: Tensor, device: DeviceLike = DEVICE_TYPE) -> None:
    """Sets the state of a device's generator.

    Args:
        new_state: what :func:`get_rng_state` returned; it is copied.
        device: the device, the current one by default.

    Raises:
        RuntimeError: no such device, or not a state of such a generator. If the device
            has not been started yet, the latter comes when it starts.
        TypeError: not a uint8 tensor.
    """
    if not isinstance(new_state, Tensor):
        raise TypeError(
            f"RNG state must be a torch.ByteTensor, but got {type(new_state).__name__}"
        )
    if not is_initialized():
        new_state = new_state.clone(memory_format=torch.contiguous_format)

    def apply() -> None:
        _C.set_rng_state(strict_index(device), new_state)

    _lazy_call(apply)


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Sets the states of all devices' generators, in the order of the devices."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed: int) -> None:
    """Seeds the generator of the current device.

    Has no effect if there is no device.

    Args:
        seed: an integer in ``[-2**63, 2**64 - 1]``.
    """
    seed = _checked_seed(seed)
    _lazy_call(lambda: _C.manual_seed(current_device(), seed), seed=True)


def manual_seed_all(seed: int) -> None:
    """Seeds the generators of all devices; ``torch.manual_seed`` calls this.

    Has no effect if there is no device.

    Args:
        seed: an integer in ``[-2**63, 2**64 - 1]``.
    """
    seed = _checked_seed(seed)

    def apply() -> None:
        for index in range(device_count()):
            _C.manual_seed(index, seed)

    _lazy_call(apply, seed_all=True)


def seed() -> None:
    """Seeds the generator of the current device with a number from the system."""
    _lazy_call(lambda: _C.seed(current_device()), seed=True)


def seed_all() -> None:
    """Seeds the generators of all devices with one number from the system."""

    def apply() -> None:
        for index in range(device_count()):
            if index == 0:
                number = _C.seed(0)
            else:
                _C.manual_seed(index, number)

    _lazy_call(apply, seed_all=True)


def initial_seed() -> int:
    """The seed of the current device's generator."""
    _lazy_init()
    return _C.initial_seed(current_device())
