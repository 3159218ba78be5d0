"""Contract across threads: current device and stream, the bound runtime, errors."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch


def in_thread(function):
    """The result of a function run by a fresh thread; its exception is raised."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result(timeout=60)


def test_a_new_thread_starts_on_device_0_and_the_default_stream(backend):
    backend.api.set_device(backend.api.device_count() - 1)
    backend.api.set_stream(backend.api.Stream())

    def look():
        return backend.api.current_device(), backend.api.current_stream()

    device, stream = in_thread(look)
    assert device == 0
    assert stream == backend.api.default_stream(0)


def test_current_stream_belongs_to_its_thread(backend):
    stream = backend.api.Stream()
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with backend.api.stream(stream):
            inside.set()
            assert leave.wait(60)
            return backend.api.current_stream()

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(hold)
        assert inside.wait(60)
        assert backend.api.current_stream() == backend.api.default_stream()
        other = backend.api.Stream()
        backend.api.set_stream(other)
        leave.set()
        assert held.result(timeout=60) == stream
    assert backend.api.current_stream() == other


def test_current_device_belongs_to_its_thread(two_devices):
    api = two_devices.api

    def select():
        api.set_device(1)
        return api.current_device()

    assert in_thread(select) == 1
    assert api.current_device() == 0


def test_the_runtime_is_bound_in_every_thread(backend):
    """Each thread allocates, copies, adds and synchronises as its first calls."""
    first_calls = [
        lambda: backend.tensor([1.0]).cpu().item(),
        lambda: (backend.tensor([0.5]) + backend.tensor([0.5])).cpu().item(),
        lambda: backend.api.synchronize() or 1.0,
        lambda: backend.api.Stream().synchronize() or 1.0,
        lambda: backend.api.Event().record() or 1.0,
        lambda: torch.ones(1).pin_memory(backend.name).item(),
        lambda: float(backend.api.mem_get_info()[1] > 0),
    ]
    for call in first_calls:
        assert in_thread(call) == 1.0


def test_threads_with_streams_of_their_own(backend):
    def work(seed: int) -> bool:
        stream = backend.api.Stream()
        with backend.api.stream(stream):
            for step in range(50):
                source = torch.full((257,), float(seed * 1000 + step))
                there = torch.empty(257, device=backend.name).copy_(source)
                total = (there + there).cpu()
                if not torch.equal(total, source + source):
                    return False
        stream.synchronize()
        return backend.api.current_stream() == backend.api.default_stream()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8), timeout=120))


def test_events_pass_between_threads(backend):
    source = torch.arange(1 << 16, dtype=torch.float32).pin_memory(backend.name)
    back = torch.zeros(1 << 16).pin_memory(backend.name)

    def produce():
        with backend.api.stream(backend.api.Stream()):
            there = torch.empty(1 << 16, device=backend.name)
            there.copy_(source, non_blocking=True)
            return there, backend.api.current_stream().record_event()

    there, event = in_thread(produce)
    consumer = backend.api.Stream()
    consumer.wait_event(event)
    with backend.api.stream(consumer):
        back.copy_(there, non_blocking=True)
    in_thread(consumer.synchronize)
    assert torch.equal(back, source)


def test_an_error_in_a_thread_leaves_the_others_usable(backend):
    def fail():
        backend.api.set_device(backend.api.device_count())

    with pytest.raises(Exception, match=r".+"):
        in_thread(fail)
    assert torch.equal(backend.tensor([2.0]).cpu(), torch.tensor([2.0]))
    assert in_thread(lambda: backend.tensor([2.0]).cpu().item()) == 2.0


def test_memory_is_freed_by_another_thread(backend):
    tensors = [backend.tensor([float(i)] * 100) for i in range(100)]
    in_thread(tensors.clear)
    assert not tensors
    assert torch.equal(backend.tensor([4.0]).cpu(), torch.tensor([4.0]))
