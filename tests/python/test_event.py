"""torch.infini's events: options, states, timing."""

import time

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini


class TestConstruction:
    def test_is_a_torch_event(self):
        event = infini.Event()
        assert isinstance(event, torch.Event)
        assert event.device.type == "infini"
        assert repr(event) == "<torch.infini.Event uninitialized>"
        event.record()
        assert repr(event) != "<torch.infini.Event uninitialized>"

    def test_positional_arguments_as_in_torch_cuda(self):
        for event in (infini.Event(True), infini.Event(True, False, False, False)):
            event.record()
            event.synchronize()
            assert event.elapsed_time(event) == 0

    @pytest.mark.parametrize("option", ["blocking", "interprocess", "external"])
    def test_refused_options(self, option):
        with pytest.raises(NotImplementedError, match=f"{option}=True"):
            infini.Event(**{option: True})
        infini.Event(**{option: False}).record()

    def test_refused_positional_options(self):
        with pytest.raises(NotImplementedError, match="blocking"):
            infini.Event(False, True)
        with pytest.raises(NotImplementedError, match="interprocess"):
            infini.Event(False, False, True)

    def test_unknown_option(self):
        with pytest.raises(TypeError):
            infini.Event(timing=True)

    def test_interprocess_handles(self):
        with pytest.raises(NotImplementedError, match="interprocess"):
            infini.Event().ipc_handle()
        with pytest.raises(NotImplementedError, match="interprocess"):
            infini.Event.from_ipc_handle(0, b"x")


class TestState:
    def test_never_recorded_counts_as_complete(self):
        event = infini.Event()
        assert event.query() is True
        event.synchronize()
        event.wait()
        event.wait(infini.Stream())

    def test_recorded_on_the_current_stream_by_default(self):
        stream = infini.Stream()
        event = infini.Event()
        with infini.stream(stream):
            torch.ones(1 << 16, device="infini").add_(1)
            event.record()
        event.synchronize()
        assert event.query()

    def test_recorded_again(self):
        event = infini.Event(enable_timing=True)
        for stream in (infini.Stream(), infini.default_stream(), infini.Stream()):
            event.record(stream)
            event.synchronize()
            assert event.query()

    @pytest.mark.parametrize(
        "stream",
        [
            lambda: torch.accelerator.current_stream(),
            lambda: torch.Stream("infini"),
            lambda: infini.Stream(),
        ],
        ids=["accelerator", "generic", "infini"],
    )
    def test_any_kind_of_stream(self, stream):
        for event in (infini.Event(), torch.Event("infini")):
            event.record(stream())
            event.wait(stream())
            event.synchronize()
            assert event.query()

    @pytest.mark.parametrize("stream", [0, "infini", object()])
    def test_not_a_stream(self, stream):
        event = infini.Event()
        for method in (event.record, event.wait):
            with pytest.raises(TypeError, match="Expected an infini stream"):
                method(stream)
        assert event.query()

    def test_stream_of_another_device_type(self):
        stream = torch.Stream(stream_id=0, device_index=0, device_type=1)
        event = infini.Event()
        for method in (event.record, event.wait):
            with pytest.raises(ValueError, match="cuda"):
                method(stream)

    @pytest.mark.needs("two-devices")
    def test_recorded_on_one_device_only_but_waited_for_on_all(self):
        event = infini.Event()
        event.record(infini.Stream(1))
        with pytest.raises(RuntimeError, match="device"):
            event.record(infini.Stream(0))
        event.wait(infini.Stream(0))
        event.synchronize()

    def test_many_events_are_released(self):
        for _ in range(5000):
            event = infini.Event()
            event.record()
        event.synchronize()
        assert event.query()


class TestTiming:
    def test_time_passes(self):
        start, end = (infini.Event(enable_timing=True) for _ in range(2))
        begin = time.perf_counter()
        start.record()
        time.sleep(0.02)
        end.record()
        end.synchronize()
        wall = 1e3 * (time.perf_counter() - begin)
        assert 19 <= start.elapsed_time(end) <= wall + 1
        assert end.elapsed_time(start) == pytest.approx(-start.elapsed_time(end))

    def test_generic_event_as_the_end(self):
        start, end = infini.Event(True), torch.Event("infini", enable_timing=True)
        start.record()
        time.sleep(0.005)
        end.record()
        end.synchronize()
        assert start.elapsed_time(end) >= 4

    def test_without_timing(self):
        timed, plain = infini.Event(enable_timing=True), infini.Event()
        timed.record()
        plain.record()
        infini.synchronize()
        for first, second in ((timed, plain), (plain, timed), (plain, plain)):
            with pytest.raises((RuntimeError, ValueError), match=r"(?i)tim(e|ing)"):
                first.elapsed_time(second)

    def test_not_recorded(self):
        timed, other = (infini.Event(enable_timing=True) for _ in range(2))
        timed.record()
        timed.synchronize()
        for first, second in ((timed, other), (other, timed), (other, other)):
            with pytest.raises((RuntimeError, ValueError), match="record"):
                first.elapsed_time(second)

    @pytest.mark.parametrize("other", [None, 1, "x"])
    def test_not_an_event(self, other):
        event = infini.Event(enable_timing=True)
        event.record()
        with pytest.raises(TypeError, match="Expected an infini event"):
            event.elapsed_time(other)
