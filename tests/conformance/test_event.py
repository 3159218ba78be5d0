"""Contract of events: recording, waiting, querying, timing."""

import gc
import time

import pytest
import torch

TIMING_ERRORS = (RuntimeError, ValueError)


def test_event_is_a_torch_event(backend):
    event = backend.api.Event()
    if backend.is_infini:
        assert isinstance(event, torch.Event)
    assert "Event" in repr(event)


def test_event_takes_its_options_by_position_and_by_name(backend):
    for event in (
        backend.api.Event(True),
        backend.api.Event(True, False, False),
        backend.api.Event(enable_timing=True, blocking=False, interprocess=False),
    ):
        event.record()
        event.synchronize()
        assert event.query() is True


def test_unrecorded_event_counts_as_done(backend):
    event = backend.api.Event()
    assert event.query() is True
    assert event.synchronize() is None
    assert event.wait() is None
    backend.api.Stream().wait_event(event)


def test_record_uses_the_current_stream(backend):
    stream = backend.api.Stream()
    event = backend.api.Event()
    with backend.api.stream(stream):
        backend.tensor(range(1024))
        assert event.record() is None
    event.synchronize()
    assert event.query() is True
    assert event.device == backend.device(0)


@pytest.mark.parametrize("form", ["position", "name"])
def test_record_takes_a_stream(backend, form):
    stream = backend.api.Stream()
    event = backend.api.Event()
    if form == "position":
        event.record(stream)
    else:
        event.record(stream=stream)
    event.synchronize()
    assert event.query() is True
    assert backend.api.current_stream() == backend.api.default_stream()


def test_event_has_an_identity_once_recorded(backend):
    if not backend.is_infini:
        pytest.skip("torch.cuda.Event has cuda_event; event_id is torch.Event's")
    first, second = backend.api.Event(), backend.api.Event()
    first.record()
    second.record()
    assert type(first.event_id) is int
    assert first.event_id != second.event_id
    assert first.event_id != 0


def test_event_is_recorded_again(backend):
    event = backend.api.Event(enable_timing=True)
    start = backend.api.Event(enable_timing=True)
    start.record()
    event.record()
    event.synchronize()
    first = start.elapsed_time(event)
    time.sleep(0.02)
    event.record()
    event.synchronize()
    assert start.elapsed_time(event) >= first + 15.0


@pytest.mark.parametrize("form", ["event", "stream"])
def test_wait_orders_another_stream(backend, form):
    api = backend.api
    producer, consumer = api.Stream(), api.Stream()
    source = torch.arange(1 << 18, dtype=torch.float32).pin_memory(backend.name)
    back = torch.zeros(1 << 18).pin_memory(backend.name)
    with api.stream(producer):
        there = torch.empty(1 << 18, device=backend.name)
        there.copy_(source, non_blocking=True)
        event = producer.record_event()
    with api.stream(consumer):
        if form == "event":
            event.wait()
        else:
            consumer.wait_event(event)
        back.copy_(there, non_blocking=True)
    consumer.synchronize()
    assert torch.equal(back, source)


def test_synchronize_makes_the_work_before_visible(backend):
    source = torch.arange(1 << 18, dtype=torch.float32).pin_memory(backend.name)
    back = torch.zeros(1 << 18).pin_memory(backend.name)
    event = backend.api.Event()
    with backend.api.stream(backend.api.Stream()):
        there = torch.empty(1 << 18, device=backend.name)
        there.copy_(source, non_blocking=True)
        back.copy_(there, non_blocking=True)
        event.record()
    event.synchronize()
    assert torch.equal(back, source)


def test_elapsed_time_is_milliseconds_in_order(backend):
    start, middle, end = (backend.api.Event(enable_timing=True) for _ in range(3))
    start.record()
    start.synchronize()
    time.sleep(0.02)
    middle.record()
    middle.synchronize()
    time.sleep(0.02)
    end.record()
    end.synchronize()
    first, second = start.elapsed_time(middle), middle.elapsed_time(end)
    whole = start.elapsed_time(end)
    assert type(whole) is float
    assert 15.0 <= first <= whole
    assert 15.0 <= second <= whole
    assert whole == pytest.approx(first + second, abs=0.1)
    assert start.elapsed_time(start) == pytest.approx(0.0, abs=0.1)


def test_elapsed_time_needs_both_events_to_keep_time(backend):
    timed, plain = backend.api.Event(enable_timing=True), backend.api.Event()
    for event in (timed, plain):
        event.record()
        event.synchronize()
    for first, second in ((timed, plain), (plain, timed), (plain, plain)):
        with pytest.raises(TIMING_ERRORS, match=r"timing"):
            first.elapsed_time(second)


@pytest.mark.parametrize("unrecorded", ["first", "second", "both"])
def test_elapsed_time_needs_both_events_recorded(backend, unrecorded):
    first, second = (backend.api.Event(enable_timing=True) for _ in range(2))
    if unrecorded == "second":
        first.record()
    if unrecorded == "first":
        second.record()
    backend.api.synchronize()
    with pytest.raises(TIMING_ERRORS, match=r"recorded"):
        first.elapsed_time(second)


@pytest.mark.parametrize("value", [None, 3, "event"])
def test_elapsed_time_refuses_what_is_no_event(backend, value):
    event = backend.api.Event(enable_timing=True)
    event.record()
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        event.elapsed_time(value)


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("method", ["record", "wait"])
@pytest.mark.parametrize("value", [3, "stream", object()], ids=["int", "str", "object"])
def test_what_is_no_stream_is_refused(backend, method, value, recorded):
    event = backend.api.Event()
    if recorded:
        event.record()
    with pytest.raises((TypeError, AttributeError)):
        getattr(event, method)(value)
    event.record()
    event.synchronize()


def test_generic_and_device_classes_mix(backend):
    generic = torch.Event(backend.name)
    stream = backend.api.Stream()
    generic.record(stream)
    stream.wait_event(generic)
    generic.synchronize()
    assert generic.query() is True
    other = torch.Stream(device=backend.name)
    event = backend.api.Event()
    event.record(other)
    event.wait(other)
    other.wait_event(event)
    other.synchronize()
    assert event.query() is True


def test_event_outlives_its_stream_and_its_waiters(backend):
    stream = backend.api.Stream()
    event = stream.record_event()
    del stream
    gc.collect()
    waiter = backend.api.Stream()
    waiter.wait_event(event)
    del event
    gc.collect()
    waiter.synchronize()
    assert waiter.query() is True


def test_many_events_can_be_made(backend):
    stream = backend.api.Stream()
    events = [stream.record_event() for _ in range(5000)]
    stream.synchronize()
    assert all(event.query() for event in events)


def test_recording_on_another_device_is_refused(two_devices):
    api = two_devices.api
    event = api.Event()
    event.record(api.Stream(device=0))
    with pytest.raises(RuntimeError, match=r"device|:1"):
        event.record(api.Stream(device=1))
    assert api.current_device() == 0


def test_waiting_on_another_device_is_allowed(two_devices):
    api = two_devices.api
    event = api.Stream(device=0).record_event()
    stream = api.Stream(device=1)
    stream.wait_event(event)
    stream.synchronize()
    assert api.current_device() == 0


@pytest.mark.parametrize("option", ["blocking", "interprocess"])
def test_options_that_the_runtime_lacks_are_not_implemented(infini, option):
    with pytest.raises(NotImplementedError, match=option):
        infini.api.Event(**{option: True})
    event = infini.api.Event(**{option: False})
    event.record()
    event.synchronize()


def test_options_that_the_runtime_lacks_by_position(infini):
    with pytest.raises(NotImplementedError, match="blocking"):
        infini.api.Event(False, True)
    with pytest.raises(NotImplementedError, match="interprocess"):
        infini.api.Event(False, False, True)
