"""torch.infini's streams: construction, identity, current stream, contexts."""

import ctypes
import threading

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini


@pytest.fixture(autouse=True)
def on_default_stream():
    infini.set_device(0)
    infini.set_stream(infini.default_stream())
    yield
    infini.set_device(0)
    infini.set_stream(infini.default_stream())


class TestConstruction:
    def test_is_a_torch_stream(self):
        stream = infini.Stream()
        assert isinstance(stream, torch.Stream)
        assert stream.device == torch.device("infini", 0)
        assert stream.device_index == 0
        assert stream != infini.default_stream()

    @pytest.mark.parametrize(
        "device", [None, 0, -1, "infini:0", torch.device("infini")]
    )
    def test_device_argument(self, device):
        assert infini.Stream(device).device_index == 0
        assert infini.Stream(device=device).device_index == 0

    def test_wraps_an_existing_stream(self):
        stream = infini.Stream()
        again = infini.Stream(
            stream_id=stream.stream_id,
            device_index=stream.device_index,
            device_type=stream.device_type,
        )
        assert type(again) is infini.Stream
        assert again == stream
        assert hash(again) == hash(stream)

    @pytest.mark.parametrize("priority", [-1, 1, -5])
    def test_priorities_are_refused(self, priority):
        with pytest.raises(NotImplementedError, match=f"priority {priority}"):
            infini.Stream(priority=priority)
        with pytest.raises(NotImplementedError, match=f"priority {priority}"):
            infini.Stream(None, priority)
        assert infini.Stream.priority_range() == (0, 0)
        assert infini.Stream(priority=0).priority == 0

    def test_equal_to_the_generic_stream(self):
        assert torch.accelerator.current_stream() == infini.current_stream()
        generic = torch.Stream("infini")
        with generic:
            assert infini.current_stream() == generic
        assert (infini.current_stream() == 0) is False

    def test_many_streams_come_from_a_pool(self):
        ids = {infini.Stream().stream_id for _ in range(500)}
        assert 1 < len(ids) <= 64

    def test_repr(self):
        assert repr(infini.Stream()).startswith("<torch.infini.Stream device=infini:0 ")

    def test_native_handle_does_not_end_queries(self):
        stream = infini.Stream()
        assert isinstance(stream.infini_stream, int)
        assert isinstance(stream._as_parameter_, ctypes.c_void_p)
        assert infini.default_stream().infini_stream == 0
        with infini.stream(stream):
            torch.ones(4, device="infini").add_(1)
        stream.synchronize()
        assert stream.query() is True
        assert infini.default_stream().query() in (True, False)


class TestExternal:
    def test_external_stream_has_the_handle(self):
        stream = infini.Stream()
        external = infini.ExternalStream(stream.infini_stream)
        assert isinstance(external, infini.Stream)
        assert external.infini_stream == stream.infini_stream
        with infini.stream(external):
            assert infini.current_stream() == external
            x = torch.ones(4, device="infini") + 1
        external.synchronize()
        assert x.tolist() == [2] * 4
        assert infini.get_stream_from_external(stream.infini_stream, 0) == external

    @pytest.mark.parametrize("pointer", ["x", None, 1.5])
    def test_not_a_handle(self, pointer):
        with pytest.raises(TypeError):
            infini.ExternalStream(pointer)

    @pytest.mark.parametrize("pointer", [1, 3, -1, 1 << 64])
    def test_impossible_handles(self, pointer):
        with pytest.raises((RuntimeError, TypeError)):
            infini.ExternalStream(pointer)


class TestCurrentStream:
    def test_set_stream(self):
        stream = infini.Stream()
        infini.set_stream(stream)
        assert infini.current_stream() == stream
        assert type(infini.current_stream()) is infini.Stream
        infini.set_stream(None)
        assert infini.current_stream() == stream
        torch.accelerator.set_stream(infini.default_stream())
        assert infini.current_stream() == infini.default_stream()

    @pytest.mark.parametrize("stream", [0, "infini", object(), 1.0])
    def test_not_a_stream(self, stream):
        for function in (infini.set_stream, infini.stream, infini.StreamContext):
            with pytest.raises(TypeError, match="Expected an infini stream"):
                function(stream)

    def test_stream_of_another_device_type(self):
        stream = torch.Stream(stream_id=0, device_index=0, device_type=1)
        for function in (infini.set_stream, infini.stream):
            with pytest.raises(ValueError, match="cuda"):
                function(stream)

    def test_belongs_to_the_thread(self):
        infini.set_stream(infini.Stream())
        seen = []
        thread = threading.Thread(target=lambda: seen.append(infini.current_stream()))
        thread.start()
        thread.join()
        assert seen == [infini.default_stream()]

    def test_unknown_stream_is_refused(self):
        here = infini.current_stream()
        bad = infini.Stream(
            stream_id=(1 << 40) + 1, device_index=0, device_type=here.device_type
        )
        with pytest.raises(RuntimeError):
            infini.set_stream(bad)
        assert infini.current_stream() == here

    def test_stream_of_a_device_that_is_not_there(self):
        here = infini.current_stream()
        index = infini.device_count()
        bad = infini.Stream(
            stream_id=0, device_index=index, device_type=here.device_type
        )
        with pytest.raises(RuntimeError, match=str(index)):
            infini.set_stream(bad)
        assert infini.current_device() == 0


class TestContext:
    def test_restores(self):
        outer, inner = infini.Stream(), infini.Stream()
        with infini.stream(outer):
            assert infini.current_stream() == outer
            with infini.stream(inner):
                assert infini.current_stream() == inner
            assert infini.current_stream() == outer
        assert infini.current_stream() == infini.default_stream()

    def test_none_changes_nothing(self):
        stream = infini.Stream()
        with infini.stream(stream), infini.stream(None):
            assert infini.current_stream() == stream

    def test_restores_after_an_exception(self):
        with pytest.raises(KeyError), infini.stream(infini.Stream()):
            raise KeyError
        assert infini.current_stream() == infini.default_stream()

    def test_entered_again_while_entered(self):
        stream, other = infini.Stream(), infini.Stream()
        context = infini.stream(stream)
        with context:
            infini.set_stream(other)
            with context:
                assert infini.current_stream() == stream
            assert infini.current_stream() == other
        assert infini.current_stream() == infini.default_stream()

    def test_entered_one_after_the_other(self):
        context = infini.stream(infini.Stream())
        for _ in range(3):
            with context:
                assert infini.current_stream() == context.stream
            assert infini.current_stream() == infini.default_stream()

    def test_stream_is_a_context_itself(self):
        stream = infini.Stream()
        with stream:
            assert infini.current_stream() == stream
            with stream:
                assert infini.current_stream() == stream
            assert infini.current_stream() == stream
        assert infini.current_stream() == infini.default_stream()

    @pytest.mark.needs("two-devices")
    def test_switches_device_and_both_streams_back(self):
        stream = infini.Stream(1)
        before = infini.Stream(1)
        with infini.device(1):
            infini.set_stream(before)
        mine = infini.Stream(0)
        infini.set_stream(mine)
        with infini.stream(stream):
            assert infini.current_device() == 1
            assert infini.current_stream() == stream
            assert infini.current_stream(0) == mine
        assert infini.current_device() == 0
        assert infini.current_stream() == mine
        assert infini.current_stream(1) == before


class TestOrder:
    def test_wait_stream(self):
        first, second = infini.Stream(), infini.Stream()
        x = torch.zeros(1 << 16, device="infini")
        first.wait_stream(infini.current_stream())
        with infini.stream(first):
            for _ in range(10):
                x += 1
        second.wait_stream(first)
        with infini.stream(second):
            y = x * 2
        second.synchronize()
        assert y.unique().tolist() == [20]

    def test_wait_event_returns_nothing_and_record_returns_the_event(self):
        stream = infini.Stream()
        event = stream.record_event()
        assert type(event) is infini.Event
        assert stream.wait_event(event) is None
        mine = infini.Event(enable_timing=True)
        assert stream.record_event(mine) is mine
        stream.synchronize()
        assert event.query()
        assert mine.query()

    def test_generic_streams_mix(self):
        generic = torch.Stream("infini")
        stream = infini.Stream()
        stream.wait_stream(generic)
        generic.wait_stream(stream)
        generic.wait_event(stream.record_event())
        stream.wait_event(generic.record_event())
        stream.synchronize()
        assert stream.query()

    def test_synchronize_device_waits_for_all_streams(self):
        streams = [infini.Stream() for _ in range(4)]
        for stream in streams:
            with infini.stream(stream):
                torch.ones(1 << 16, device="infini").mul_(3)
        infini.synchronize()
        assert all(stream.query() for stream in streams)

    def test_never_captures(self):
        assert infini.is_current_stream_capturing() is False
        assert infini.Stream().is_capturing() is False
