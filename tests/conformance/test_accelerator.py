"""Contract of torch.accelerator's device and stream calls for the backend."""

import pytest
import torch


@pytest.fixture
def accelerator(backend):
    """The backend, when torch.accelerator means it."""
    current = torch.accelerator.current_accelerator()
    if current is None or current.type != backend.name:
        if backend.is_infini and not torch.cuda.is_available():
            pytest.fail(f"the current accelerator is {current}, not infini")
        pytest.skip(f"the current accelerator is {current}, not {backend.name}")
    return backend


def test_the_accelerator_is_the_backend(accelerator):
    assert torch.accelerator.is_available() is True
    assert torch.accelerator.device_count() == accelerator.api.device_count()


def test_device_index_follows_the_module(accelerator):
    last = accelerator.api.device_count() - 1
    accelerator.api.set_device(last)
    assert torch.accelerator.current_device_index() == last
    torch.accelerator.set_device_index(0)
    assert accelerator.api.current_device() == 0


def test_device_index_context(accelerator):
    last = accelerator.api.device_count() - 1
    with torch.accelerator.device_index(last):
        assert accelerator.api.current_device() == last
    assert accelerator.api.current_device() == 0
    with torch.accelerator.device_index(None):
        assert accelerator.api.current_device() == 0


def test_device_index_out_of_range_is_refused(accelerator):
    with pytest.raises(RuntimeError):
        torch.accelerator.set_device_index(accelerator.api.device_count())
    assert torch.accelerator.current_device_index() == 0


def test_streams_are_shared_with_the_module(accelerator):
    stream = accelerator.api.Stream()
    torch.accelerator.set_stream(stream)
    assert accelerator.api.current_stream() == stream
    assert torch.accelerator.current_stream() == stream
    assert torch.accelerator.current_stream(0) == stream
    torch.accelerator.set_stream(accelerator.api.default_stream())
    assert accelerator.api.current_stream() == accelerator.api.default_stream()


def test_generic_stream_is_current_in_its_context(accelerator):
    stream = torch.Stream(device=accelerator.name)
    with stream:
        assert torch.accelerator.current_stream() == stream
        assert accelerator.api.current_stream().stream_id == stream.stream_id
    assert torch.accelerator.current_stream() == accelerator.api.default_stream()


def test_synchronize_completes_work(accelerator):
    back = torch.zeros(1 << 16).pin_memory(accelerator.name)
    there = accelerator.tensor(range(1 << 16))
    back.copy_(there, non_blocking=True)
    torch.accelerator.synchronize()
    assert torch.equal(back, torch.arange(1 << 16, dtype=torch.float32))
    torch.accelerator.synchronize(0)


def test_generic_event_records_on_the_current_stream(accelerator):
    event = torch.Event(accelerator.name, enable_timing=True)
    event.record(torch.accelerator.current_stream())
    event.synchronize()
    later = torch.Event(accelerator.name, enable_timing=True)
    later.record()
    later.synchronize()
    assert event.elapsed_time(later) >= 0.0


def test_capability_is_reported(accelerator):
    capability = torch.accelerator.get_device_capability()
    assert torch.float32 in capability["supported_dtypes"]
