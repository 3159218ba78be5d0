"""Streams and events of infini devices, with the names and meaning of torch.cuda's.

A stream is a queue of work on one device: its work runs in the order of submission,
and is not ordered with the work of other streams except through events. The current
stream belongs to the calling thread, one per device, and starts as the default stream.
Objects may be shared between threads.
"""

from __future__ import annotations

import ctypes
import operator
from types import TracebackType

import torch

from torch_infini import _C
from torch_infini.infini._lazy import _lazy_init
from torch_infini.infini._utils import DEVICE_TYPE, DeviceLike, existing_index

_new_stream = torch.Stream.__new__


class Stream(torch.Stream):
    """A stream of an infini device.

    Used as a context manager, it makes itself and its device current.

    Args:
        device: where to make the stream; the current device if it is ``None`` or a
            negative integer.
        priority: 0. InfiniRT has no stream priorities.
        **kwargs: ``stream_id``, ``device_index`` and ``device_type`` of an existing
            stream, in place of the others.

    Raises:
        NotImplementedError: another priority was asked for.
        RuntimeError: no such device.
        ValueError: the existing stream is of another kind of device.
    """

    def __new__(
        cls, device: DeviceLike = None, priority: int = 0, **kwargs: int
    ) -> Stream:
        """Makes a stream, or wraps an existing one."""
        if priority != 0:
            raise NotImplementedError(
                f"torch.infini.Stream: priority {priority} was asked for, but InfiniRT "
                "has no stream priorities; use priority=0"
            )
        _lazy_init()
        if kwargs:
            stream = _new_stream(cls, **kwargs)
            _check_stream(stream)
            return stream
        return _new_stream(cls, torch.device(DEVICE_TYPE, existing_index(device)))

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The least and the greatest priority: ``(0, 0)``."""
        return 0, 0

    @property
    def priority(self) -> int:
        """The priority: 0."""
        return 0

    @property
    def infini_stream(self) -> int:
        """InfiniRT's handle of the stream, as an integer; 0 may be a valid one."""
        return self.native_handle or 0

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.infini_stream)

    def wait_event(self, event: torch.Event) -> None:
        """Makes work that is submitted later wait for an event. Does not block."""
        event.wait(self)

    def wait_stream(self, stream: torch.Stream) -> None:
        """Makes work that is submitted later wait for all present work of a stream.

        Does not block.
        """
        self.wait_event(stream.record_event())

    def record_event(self, event: torch.Event | None = None) -> torch.Event:
        """Records an event behind all work submitted so far.

        Args:
            event: the event; a new one without timing by default.

        Returns:
            The event.
        """
        if event is None:
            event = Event()
        event.record(self)
        return event

    def __repr__(self) -> str:
        """Names the device and the stream."""
        return f"<torch.infini.Stream device={self.device} stream_id={self.stream_id}>"


class ExternalStream(Stream):
    """A stream that was made through InfiniRT by other code.

    The caller keeps it alive as long as this object or work on it.

    Args:
        stream_ptr: InfiniRT's handle of the stream, as an integer.
        device: the device that the stream was made for; the current one if it is
            ``None`` or a negative integer. A wrong one gives undefined behaviour.

    Raises:
        RuntimeError: no such device, or the handle cannot be one.
        TypeError: the handle is no integer.
    """

    def __new__(cls, stream_ptr: int, device: DeviceLike = None) -> ExternalStream:
        """Wraps the handle."""
        try:
            handle = operator.index(stream_ptr)
        except TypeError:
            raise TypeError(
                "Expected a stream's handle as an integer, but got "
                f"{stream_ptr!r} of type {type(stream_ptr).__name__}"
            ) from None
        if not 0 <= handle < 1 << 64:
            raise RuntimeError(
                "an external stream's handle is a pointer to the runtime's stream, got "
                f"{handle}"
            )
        _lazy_init()
        return _new_stream(cls, *_C.external_stream(handle, existing_index(device)))


class Event(torch.Event):
    """A marker in a stream, for waiting, querying and timing.

    The first record ties the event to the stream's device: only streams of that device
    may record it later, while any stream may wait for it. An event that was never
    recorded counts as complete.

    Args:
        enable_timing: whether :meth:`elapsed_time` may be used.
        blocking: ``False``. InfiniRT has no blocking events.
        interprocess: ``False``. InfiniRT has no events shared between processes.
        external: ``False``. InfiniRT has no graph capture.

    Raises:
        NotImplementedError: one of the last three was asked for.
    """

    _enable_timing: bool

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Event:
        """Makes an event that is not recorded yet."""
        flags = {
            "blocking": blocking,
            "interprocess": interprocess,
            "external": external,
        }
        for name, wanted in flags.items():
            if wanted:
                raise NotImplementedError(
                    f"torch.infini.Event: {name}=True is not supported, because "
                    "InfiniRT has no such events"
                )
        enable_timing = bool(enable_timing)
        event = torch.Event.__new__(cls, DEVICE_TYPE, enable_timing=enable_timing)
        event._enable_timing = enable_timing
        return event

    def record(self, stream: torch.Stream | None = None) -> None:
        """Marks the end of all work submitted so far.

        Args:
            stream: where to record; the current stream by default.

        Raises:
            RuntimeError: the stream's device is not the event's.
            TypeError: not a stream.
            ValueError: a stream of another kind of device.
        """
        super().record(_checked_stream(stream))

    def wait(self, stream: torch.Stream | None = None) -> None:
        """Makes work submitted to a stream later wait for this event.

        Does not block the caller.

        Args:
            stream: which stream waits; the current stream by default.
        """
        super().wait(_checked_stream(stream))

    def elapsed_time(self, end_event: torch.Event) -> float:
        """The time between two events.

        Args:
            end_event: an event with timing, recorded after this one or before it.

        Returns:
            Milliseconds; negative if the other event was recorded before.

        Raises:
            RuntimeError: one of the two is not complete.
            TypeError: not an event.
            ValueError: one of the two is without timing or not recorded.
        """
        if type(end_event) is torch.Event:
            return super().elapsed_time(end_event)
        if not isinstance(end_event, Event):
            raise TypeError(
                f"Expected an infini event, but got {type(end_event).__name__}"
            )
        # torch.Event.elapsed_time accepts no subclass; these are its checks.
        if not (self._enable_timing and end_event._enable_timing):
            raise ValueError(
                "Both events must be created with argument 'enable_timing=True'."
            )
        start, end = self.event_id, end_event.event_id
        if not (start and end):
            raise ValueError(
                "Both events must be recorded before calculating elapsed time."
            )
        if not (self.query() and end_event.query()):
            raise RuntimeError(
                "Both events must be completed before calculating elapsed time."
            )
        return _C.elapsed_time(start, end, self.device.index)

    @classmethod
    def from_ipc_handle(cls, device: DeviceLike, ipc_handle: bytes) -> Event:
        """Not supported: InfiniRT has no events shared between processes."""
        raise NotImplementedError(
            "torch.infini.Event.from_ipc_handle: InfiniRT has no interprocess events"
        )

    def ipc_handle(self) -> bytes:
        """Not supported: InfiniRT has no events shared between processes."""
        raise NotImplementedError(
            "torch.infini.Event.ipc_handle: InfiniRT has no interprocess events"
        )

    def __repr__(self) -> str:
        """Names the native event, if there is one yet."""
        handle = self.event_id
        text = f"{handle:#x}" if handle else "uninitialized"
        return f"<torch.infini.Event {text}>"


def current_stream(device: DeviceLike = None) -> Stream:
    """The calling thread's current stream of a device.

    Args:
        device: the device; the current one if it is ``None`` or a negative integer.
    """
    _lazy_init()
    return _new_stream(Stream, *_C.current_stream(existing_index(device)))


def default_stream(device: DeviceLike = None) -> Stream:
    """The default stream of a device.

    Args:
        device: the device; the current one if it is ``None`` or a negative integer.
    """
    _lazy_init()
    return _new_stream(Stream, *_C.default_stream(existing_index(device)))


def get_stream_from_external(data_ptr: int, device: DeviceLike = None) -> Stream:
    """Wraps a stream made by other code; see :class:`torch.infini.ExternalStream`."""
    return ExternalStream(data_ptr, device)


def set_stream(stream: torch.Stream | None) -> None:
    """Makes a stream current for the calling thread, and its device with it.

    The context manager :func:`torch.infini.stream` is usually the better choice.

    Args:
        stream: the stream; nothing happens if it is ``None``.

    Raises:
        TypeError: not a stream.
        ValueError: a stream of another kind of device.
    """
    if stream is None:
        return
    _check_stream(stream)
    _set_stream_by_id(stream.stream_id, stream.device_index, stream.device_type)


def _set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
    _lazy_init()
    _C.set_current_stream(stream_id, device_index, device_type)
    _C.set_device(device_index)


def _checked_stream(stream: torch.Stream | None) -> torch.Stream:
    # PyTorch reads any object that an event is given as if it were a stream.
    if stream is None:
        return current_stream()
    _check_stream(stream)
    return stream


def _check_stream(stream: object) -> None:
    if not isinstance(stream, torch.Stream):
        raise TypeError(
            f"Expected an infini stream or None, but got {type(stream).__name__}"
        )
    if stream.device.type != DEVICE_TYPE:
        raise ValueError(
            f"Expected an infini stream, but got a stream of {stream.device}"
        )


class StreamContext:
    """Context manager that makes a stream and its device current.

    On exit the stream that was current on the stream's device, the device that was
    current and its stream come back. An object may be entered again, also while it is
    entered.

    Args:
        stream: the stream; nothing changes if it is ``None``.
    """

    def __init__(self, stream: torch.Stream | None) -> None:
        """Checks the stream; it becomes current when the context is entered."""
        if stream is not None:
            _check_stream(stream)
        self.stream = stream
        # For each entry the current device and the stream's predecessor, unpacked.
        self._previous: list[tuple[int, tuple[int, int, int]]] = []

    def __enter__(self) -> None:
        """Makes the stream current and remembers what was."""
        if self.stream is None:
            return
        stream = self.stream
        _lazy_init()
        here, index = _C.current_device(), stream.device_index
        previous = _C.current_stream(index)
        _C.set_current_stream(stream.stream_id, index, stream.device_type)
        self._previous.append((here, previous))
        if here != index:
            _C.set_device(index)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Brings back what was current."""
        if self.stream is None:
            return
        here, previous = self._previous.pop()
        _C.set_current_stream(*previous)
        _C.set_device(here)


def stream(stream: torch.Stream | None) -> StreamContext:
    """A context manager in which a stream and its device are current.

    Args:
        stream: the stream; nothing changes if it is ``None``.
    """
    return StreamContext(stream)


def is_current_stream_capturing() -> bool:
    """Whether the current stream records a graph: never, InfiniRT has none."""
    return False
