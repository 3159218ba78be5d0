"""Streams and events used wrongly."""

import pytest
import torch

from misuse.attempts import each

NO_STREAM = "Expected an infini stream or None, but got "
CPU_STREAM = "Expected an infini stream, but got a stream of cpu"
UNKNOWN = "infini stream id 12345 is unknown"
FORGED = "torch.Stream(stream_id=12345, device_index=0, device_type=20)"
TIMED = "torch.infini.Event(enable_timing=True)"

ATTEMPTS = [
    (
        "torch.infini.Event().elapsed_time(torch.infini.Event())",
        ValueError,
        "Both events must be created with argument 'enable_timing=True'.",
    ),
    (
        f"{TIMED}.elapsed_time({TIMED})",
        ValueError,
        "Both events must be recorded before calculating elapsed time.",
    ),
    (
        f"a = {TIMED}; a.record(); a.elapsed_time('x')",
        TypeError,
        "Expected an infini event, but got str",
    ),
    (
        f"a = {TIMED}; a.record(); a.elapsed_time(torch.Event('cpu'))",
        RuntimeError,
        "does not match other's device type CPU",
    ),
    ("torch.infini.Event().record('x')", TypeError, f"{NO_STREAM}str"),
    ("torch.infini.Event().record(torch.Stream('cpu'))", ValueError, CPU_STREAM),
    ("torch.infini.Event().wait(5)", TypeError, f"{NO_STREAM}int"),
    ("torch.infini.Event(blocking=True)", NotImplementedError, "blocking=True"),
    ("torch.infini.Event(interprocess=True)", NotImplementedError, "interprocess=True"),
    ("torch.infini.Event().ipc_handle()", NotImplementedError, "no interprocess"),
    (
        "torch.infini.Event.from_ipc_handle(0, b'')",
        NotImplementedError,
        "no interprocess events",
    ),
    ("torch.infini.Stream(priority=-3)", NotImplementedError, "priority -3"),
    ("torch.Stream('infini', priority=-1)", NotImplementedError, "got -1"),
    ("torch.infini.Stream().wait_event('x')", AttributeError, "no attribute 'wait'"),
    (
        "torch.infini.Stream().wait_stream('x')",
        AttributeError,
        "no attribute 'record_event'",
    ),
    (
        "torch.infini.Stream().wait_stream(torch.Stream('cpu'))",
        RuntimeError,
        "cpu backend doesn't support events.",
    ),
    (
        "torch.infini.Stream().record_event(torch.Event('cpu'))",
        RuntimeError,
        "Event device type CPU does not match",
    ),
    ("torch.infini.set_stream(5)", TypeError, f"{NO_STREAM}int"),
    ("torch.infini.set_stream(torch.Stream('cpu'))", ValueError, CPU_STREAM),
    ("torch.infini.stream('s')", TypeError, f"{NO_STREAM}str"),
    (
        "torch.accelerator.set_stream(torch.Stream('cpu'))",
        RuntimeError,
        "CPU doesn't match the current accelerator INFINI",
    ),
    (f"{FORGED}.synchronize()", RuntimeError, UNKNOWN),
    (f"torch.infini.set_stream({FORGED})", RuntimeError, UNKNOWN),
    (
        "torch.infini.Stream(stream_id=999, device_index=0, device_type=1)",
        ValueError,
        "Expected an infini stream",
    ),
    ("torch.infini.ExternalStream(None)", TypeError, "handle"),
    ("torch.infini.ExternalStream('a')", TypeError, "handle"),
    ("torch.infini.ExternalStream(1.5)", TypeError, "handle"),
    ("torch.infini.ExternalStream(-1)", RuntimeError, "handle is a pointer"),
    ("torch.infini.ExternalStream(2**70)", RuntimeError, "handle is a pointer"),
    ("torch.infini.ExternalStream(0, 'cpu')", ValueError, "Expected an infini device"),
    ("torch.infini.ExternalStream(0, 9)", RuntimeError, "index 9 is out of range"),
    (
        "torch.infini.ExternalStream(0xDEADBEEF)",
        RuntimeError,
        "handle is a pointer to the runtime's stream, got 3735928559",
    ),
    ("x.record_stream(5)", RuntimeError, "unknown parameter type"),
    (
        "x.record_stream(torch.Stream('cpu'))",
        RuntimeError,
        "expects a stream of an infini device, got stream 0 on device cpu",
    ),
    (
        "c.record_stream(torch.infini.Stream())",
        NotImplementedError,
        "Could not run 'aten::record_stream' with arguments from the 'CPU' backend",
    ),
    ("pickle.dumps(torch.infini.Stream())", TypeError, "cannot pickle 'Stream'"),
    ("pickle.dumps(torch.infini.Event())", TypeError, "cannot pickle 'Event'"),
    ("copy.deepcopy(torch.infini.Stream())", TypeError, "cannot pickle 'Stream'"),
]


@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


def test_an_event_without_a_record_is_complete():
    event = torch.infini.Event()
    event.wait()
    event.synchronize()
    assert event.query()
    torch.infini.Stream().wait_event(event)


def test_no_stream_changes_nothing():
    torch.infini.set_stream(None)
    with torch.infini.stream(None):
        assert torch.infini.current_stream() == torch.infini.default_stream()


@pytest.mark.needs("embedded-rt")
def test_an_external_stream_at_a_made_up_address():
    stream = torch.infini.ExternalStream(12345678)
    with pytest.raises(RuntimeError, match=r"StreamSynchronize failed.*no such stream"):
        stream.synchronize()


@pytest.mark.needs("embedded-rt")
def test_an_external_stream_that_is_none():
    # Aligned as a stream is, but no stream of the runtime.
    handle = torch.infini.Stream().infini_stream + 8
    stream = torch.infini.ExternalStream(handle)
    with pytest.raises(RuntimeError, match=r"StreamSynchronize failed.*no such stream"):
        stream.synchronize()
    with (
        torch.infini.stream(stream),
        pytest.raises(RuntimeError, match=r"EventRecord failed.*no such stream"),
    ):
        torch.infini.Event().record()
