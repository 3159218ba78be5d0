"""Initialisation on first use, and the guard against use in a forked child.

The device starts when it is first needed: a program that only imports the package may
fork. Seeds and random states that are set earlier wait in a queue and are applied in
the order of the calls. All functions may be called from any thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from torch_infini import _C

_initialized = False
_initializing = False  # guarded by _lock
_lock = threading.RLock()
_queued_calls: list[tuple[Callable[[], None], str]] = []
_is_in_bad_fork = _C.is_in_bad_fork


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


# Another thread may hold the lock while this one forks.
os.register_at_fork(after_in_child=_renew_lock)


def is_initialized() -> bool:
    """Whether the device has been started in this process.

    ``False`` in a forked child whose parent had started it.
    """
    return _initialized and not _is_in_bad_fork()


def init() -> None:
    """Starts the device and applies the seeds that were set before.

    There is no need to call this: every function that needs the device does. Does
    nothing if the device has been started.

    Raises:
        RuntimeError: there is no device, or the process was forked from one that had
            started the device.
    """
    _lazy_init()


def _lazy_init() -> None:
    global _initialized, _initializing
    if is_initialized():
        return
    with _lock:
        # Queued calls come back here through current_device() and the like.
        if _initializing or is_initialized():
            return
        _initializing = True
        try:
            _C.init()
            _run_queued_calls()
        finally:
            _initializing = False
        _initialized = True


def _run_queued_calls() -> None:
    while _queued_calls:
        function, _ = _queued_calls.pop(0)
        function()


def _lazy_call(function: Callable[[], None], **kwargs: bool) -> None:
    """Runs a function now, or queues it until the device starts.

    Args:
        function: what to run. If it is queued, an error it raises comes out of the
            call that starts the device.
        **kwargs: ``seed_all=True`` says that the function sets the random state of
            every device, which makes queued seeds and states void; ``seed=True`` that
            it seeds the device current at the time it runs, which makes an earlier
            one void.
    """
    with _lock:
        if not is_initialized():
            kind = next((k for k in ("seed_all", "seed") if kwargs.get(k)), "other")
            void = {"seed_all": ("seed_all", "seed"), "seed": ("seed",), "other": ()}
            _queued_calls[:] = [c for c in _queued_calls if c[1] not in void[kind]]
            _queued_calls.append((function, kind))
            return
    function()
