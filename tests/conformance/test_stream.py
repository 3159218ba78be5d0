"""Contract of streams: identity, the current stream, contexts, ordering."""

import gc

import pytest
import torch


class Boom(Exception):
    pass


def test_default_stream_is_current_at_first(backend):
    api = backend.api
    assert api.current_stream() == api.default_stream()
    assert hash(api.current_stream()) == hash(api.default_stream())
    assert isinstance(api.current_stream(), api.Stream)
    assert isinstance(api.default_stream(), api.Stream)


def test_stream_is_a_torch_stream_on_the_device(backend):
    stream = backend.api.Stream()
    if backend.is_infini:
        assert isinstance(stream, torch.Stream)
    assert stream.device == backend.device(0)
    assert stream.device_index == 0
    assert type(stream.stream_id) is int
    assert backend.name in repr(stream)


@pytest.mark.parametrize("spell", ["none", "index", "string", "device", "keyword"])
def test_stream_accepts_every_device_spelling(backend, spell):
    values = {"none": None, "index": 0, "string": f"{backend.name}:0"}
    if spell == "keyword":
        stream = backend.api.Stream(device=backend.device(0), priority=0)
    else:
        stream = backend.api.Stream(values.get(spell, backend.device(0)))
    assert stream.device == backend.device(0)


def test_new_streams_differ_from_each_other_and_the_default(backend):
    first, second = backend.api.Stream(), backend.api.Stream()
    assert first == first
    assert first != second
    assert first != backend.api.default_stream()
    assert first != "stream"
    assert len({first, second, backend.api.default_stream()}) == 3


def test_stream_is_rebuilt_from_its_identity(backend):
    stream = backend.api.Stream()
    again = backend.api.Stream(
        stream_id=stream.stream_id,
        device_index=stream.device_index,
        device_type=stream.device_type,
    )
    assert again == stream
    assert hash(again) == hash(stream)


@pytest.mark.parametrize("spell", [None, 0, "string", "device"])
def test_current_and_default_stream_accept_every_spelling(backend, spell):
    value = {"string": f"{backend.name}:0", "device": backend.device(0)}.get(
        spell, spell
    )
    stream = backend.api.Stream()
    with backend.api.stream(stream):
        assert backend.api.current_stream(value) == stream
        assert backend.api.default_stream(value) != stream


def test_set_stream_changes_the_current_stream_only(backend):
    api = backend.api
    before = api.default_stream()
    stream = api.Stream()
    api.set_stream(stream)
    assert api.current_stream() == stream
    assert api.default_stream() == before
    api.set_stream(api.default_stream())
    assert api.current_stream() == before


def test_set_stream_none_changes_nothing(backend):
    stream = backend.api.Stream()
    backend.api.set_stream(stream)
    backend.api.set_stream(None)
    assert backend.api.current_stream() == stream


@pytest.mark.parametrize("value", [3, "stream", object()])
def test_set_stream_refuses_what_is_no_stream(backend, value):
    with pytest.raises((TypeError, AttributeError, RuntimeError, ValueError)):
        backend.api.set_stream(value)
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_context_selects_and_restores(backend):
    stream = backend.api.Stream()
    context = backend.api.stream(stream)
    assert isinstance(context, backend.api.StreamContext)
    with context:
        assert backend.api.current_stream() == stream
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_context_none_changes_nothing(backend):
    stream = backend.api.Stream()
    with backend.api.stream(stream), backend.api.stream(None):
        assert backend.api.current_stream() == stream
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_contexts_nest(backend):
    api = backend.api
    streams = [api.Stream() for _ in range(4)]
    with api.stream(streams[0]):
        with api.stream(streams[1]):
            with api.stream(streams[2]), api.stream(streams[3]):
                assert api.current_stream() == streams[3]
            assert api.current_stream() == streams[1]
        assert api.current_stream() == streams[0]
    assert api.current_stream() == api.default_stream()


def test_stream_context_of_the_same_stream_is_re_entered(backend):
    stream = backend.api.Stream()
    with backend.api.stream(stream):
        with backend.api.stream(stream):
            assert backend.api.current_stream() == stream
        assert backend.api.current_stream() == stream
    assert backend.api.current_stream() == backend.api.default_stream()


def test_one_context_object_serves_again(backend):
    stream = backend.api.Stream()
    context = backend.api.stream(stream)
    for _ in range(3):
        with context:
            assert backend.api.current_stream() == stream
        assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_context_restores_after_an_exception(backend):
    with pytest.raises(Boom), backend.api.stream(backend.api.Stream()):
        raise Boom
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_context_restores_after_set_stream_inside(backend):
    with backend.api.stream(backend.api.Stream()):
        backend.api.set_stream(backend.api.Stream())
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_object_is_a_context_itself(backend):
    stream = backend.api.Stream()
    for _ in range(3):
        with stream:
            assert backend.api.current_stream() == stream
        assert backend.api.current_stream() == backend.api.default_stream()
    with pytest.raises(Boom), stream:
        raise Boom
    assert backend.api.current_stream() == backend.api.default_stream()


def test_stream_that_nobody_holds_stays_current(backend):
    backend.api.set_stream(backend.api.Stream())
    gc.collect()
    there = backend.tensor([1.0, 2.0])
    backend.api.current_stream().synchronize()
    assert backend.api.current_stream() != backend.api.default_stream()
    assert torch.equal(there.cpu(), torch.tensor([1.0, 2.0]))


def test_many_streams_can_be_made(backend):
    streams = [backend.api.Stream() for _ in range(2000)]
    assert all(stream.query() in (True, False) for stream in streams)
    for stream in streams[:: len(streams) // 7]:
        stream.synchronize()


def test_query_is_true_after_synchronize(backend):
    stream = backend.api.Stream()
    with backend.api.stream(stream):
        there = backend.tensor(range(1 << 16))
        there.copy_(there + there)
    assert stream.synchronize() is None
    assert stream.query() is True


def test_native_handle_leaves_the_stream_usable(backend):
    stream = backend.api.Stream()
    assert type(stream.native_handle) is int
    assert stream.native_handle == stream.native_handle
    for used in (stream, backend.api.default_stream()):
        assert used.native_handle is None or type(used.native_handle) is int
        used.synchronize()
        assert used.query() is True
        event = used.record_event()
        event.synchronize()
        assert event.query() is True


def test_priority_0_is_in_range(backend):
    least, greatest = backend.api.Stream.priority_range()
    assert least >= 0 >= greatest
    assert backend.api.Stream(priority=0).priority == 0


def test_wait_stream_orders_work(backend):
    api = backend.api
    producer, consumer = api.Stream(), api.Stream()
    source = torch.arange(1 << 18, dtype=torch.float32).pin_memory(backend.name)
    back = torch.zeros(1 << 18).pin_memory(backend.name)
    with api.stream(producer):
        there = torch.empty(1 << 18, device=backend.name)
        there.copy_(source, non_blocking=True)
    assert consumer.wait_stream(producer) is None
    with api.stream(consumer):
        back.copy_(there, non_blocking=True)
    consumer.synchronize()
    assert torch.equal(back, source)


def test_a_stream_may_wait_for_itself_and_for_idle_streams(backend):
    api = backend.api
    stream = api.Stream()
    stream.wait_stream(stream)
    stream.wait_stream(api.default_stream())
    api.default_stream().wait_stream(stream)
    stream.synchronize()
    assert stream.query() is True


def test_one_stream_keeps_its_order(backend):
    stream = backend.api.Stream()
    host = [torch.full((4096,), float(i)).pin_memory(backend.name) for i in range(16)]
    back = torch.empty(4096).pin_memory(backend.name)
    with backend.api.stream(stream):
        there = torch.empty(4096, device=backend.name)
        for item in host:
            there.copy_(item, non_blocking=True)
        back.copy_(there, non_blocking=True)
    stream.synchronize()
    assert torch.equal(back, host[-1])


def test_record_event_makes_or_reuses_an_event(backend):
    stream = backend.api.Stream()
    made = stream.record_event()
    assert isinstance(made, backend.api.Event)
    event = backend.api.Event()
    assert stream.record_event(event) is event
    stream.synchronize()
    assert made.query() is True
    assert event.query() is True


@pytest.mark.parametrize("method", ["wait_event", "wait_stream"])
def test_waiting_for_nothing_is_refused(backend, method):
    stream = backend.api.Stream()
    for value in (None, 3, "event"):
        with pytest.raises((TypeError, AttributeError, RuntimeError)):
            getattr(stream, method)(value)
    assert stream.query() in (True, False)


def test_external_stream_shares_the_native_stream(backend):
    stream = backend.api.Stream()
    external = backend.api.ExternalStream(stream.native_handle, device=0)
    assert isinstance(external, backend.api.Stream)
    assert external.native_handle == stream.native_handle
    assert external.device == stream.device
    with backend.api.stream(external):
        assert backend.api.current_stream() == external
        there = backend.tensor(range(64))
    event = external.record_event()
    external.synchronize()
    assert event.query() is True
    assert external.query() is True
    assert torch.equal(there.cpu(), torch.arange(64.0))


def test_external_stream_does_not_own_the_native_stream(backend):
    stream = backend.api.Stream()
    external = backend.api.ExternalStream(stream.native_handle)
    del external
    gc.collect()
    with backend.api.stream(stream):
        there = backend.tensor([3.0])
    stream.synchronize()
    assert torch.equal(there.cpu(), torch.tensor([3.0]))


@pytest.mark.parametrize("value", ["0", None, 1.5])
def test_external_stream_refuses_what_is_no_handle(backend, value):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        backend.api.ExternalStream(value)


def test_current_streams_are_kept_per_device(two_devices):
    api = two_devices.api
    stream = api.Stream(device=1)
    with api.stream(stream):
        assert api.current_device() == 1
        assert api.current_stream(1) == stream
        assert api.current_stream(0) == api.default_stream(0)
    assert api.current_device() == 0
    assert api.current_stream(1) == api.default_stream(1)
