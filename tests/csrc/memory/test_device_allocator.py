"""Device memory: alignment, exhaustion, threads, leaks, deferred frees."""

import itertools
import threading

import pytest
import torch
import torch_infini  # noqa: F401

from csrc.fake_runtime import on_fake

infini = torch.infini
SIZES = [1, 2, 63, 64, 65, 1000, 4032, 4096, 5000, 1 << 16, (1 << 20) + 1, 1 << 25]


@pytest.mark.parametrize("size", SIZES)
def test_alignment(size):
    tensors = [torch.empty(size, dtype=torch.uint8, device="infini") for _ in range(5)]
    assert all(x.data_ptr() % 64 == 0 for x in tensors)
    addresses = sorted(x.data_ptr() for x in tensors)
    assert all(b - a >= size for a, b in itertools.pairwise(addresses))


def test_results_of_host_kernels_are_aligned():
    x = torch.ones(1001, device="infini")
    for y in (
        x.exp(),
        x.cumsum(0),
        x.sort().values,
        torch.cat([x, x]),
        x[:, None] @ x[None],
    ):
        assert y.data_ptr() % 64 == 0


def test_empty_tensors_take_nothing():
    before = infini.memory_allocated()
    x = torch.empty(0, 64, device="infini")
    assert x.data_ptr() == 0
    assert infini.memory_allocated() == before


@pytest.mark.parametrize(
    ("size", "dtype"),
    [
        (1 << 46, torch.uint8),
        ((1 << 60) - 1, torch.float64),
        ((1 << 62) + 7, torch.int8),
    ],
)
@pytest.mark.parametrize(
    "make",
    [
        lambda size, dtype: torch.empty(size, dtype=dtype, device="infini"),
        lambda size, dtype: torch.zeros(size, dtype=dtype, device="infini"),
        lambda size, dtype: torch.empty_strided(
            (size,), (1,), dtype=dtype, device="infini"
        ),
        lambda size, dtype: torch.empty(0, dtype=dtype, device="infini").resize_(size),
        lambda size, dtype: torch.ones(1, dtype=dtype, device="infini").repeat(size),
    ],
    ids=["empty", "zeros", "empty_strided", "resize_", "repeat"],
)
def test_out_of_memory(make, size, dtype):
    before = infini.memory_allocated()
    nbytes = size * dtype.itemsize
    with pytest.raises(torch.OutOfMemoryError) as error:
        make(size, dtype)
    text = str(error.value)
    assert f"Tried to allocate {nbytes} bytes on infini:0" in text
    assert "are free" in text
    assert infini.memory_allocated() == before
    assert (torch.ones(3, device="infini") + 1).tolist() == [2, 2, 2]


def test_resize_that_fails_changes_nothing():
    x = torch.arange(6.0, device="infini")
    with pytest.raises(torch.OutOfMemoryError):
        x.resize_(1 << 45)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(torch.OutOfMemoryError):
        x.untyped_storage().resize_(1 << 46)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_size_that_overflows():
    for device in ("cpu", "infini"):
        with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
            torch.empty(1 << 61, 16, device=device)


def test_nothing_leaks(run_python):
    code = """
import gc, resource, torch, torch_infini
def used():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
def work(times):
    host = torch.ones(64)
    for _ in range(times):
        x = torch.empty(64, device="infini")
        x.copy_(host)
        x.t().clone()
work(2000)
before = used(), torch.infini.memory_allocated()
work(100_000)
gc.collect()
assert torch.infini.memory_allocated() == before[1]
assert used() - before[0] < 8 << 20, used() - before[0]
"""
    run_python(code, timeout=300)


def test_threads_allocate_and_free_each_others_tensors():
    before = infini.memory_allocated()
    shared, failures = [None] * 64, []

    def work(seed):
        generator = torch.Generator().manual_seed(seed)
        for value in range(300):
            slot = int(torch.randint(64, (), generator=generator))
            shared[slot] = torch.full((slot + 1,), value, device="infini")
            other = shared[(slot + 7) % 64]
            if other is not None and len(set(other.tolist())) != 1:
                failures.append(slot)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.clear()
    assert failures == []
    assert infini.memory_allocated() == before


class TestDeferredFrees:
    @on_fake(FAKE_RT_LAZY=1)
    def test_memory_is_used_again_when_the_stream_has_passed(self, fake):
        host = torch.zeros(1 << 16).pin_memory()
        x = host.to("infini", non_blocking=True)
        address = x.data_ptr()
        del x
        assert torch.infini.memory_allocated() == 0
        y = torch.empty(1 << 16, device="infini")
        assert y.data_ptr() != address
        torch.infini.synchronize()
        z = torch.empty(1 << 16, device="infini")
        assert z.data_ptr() == address

    @on_fake(FAKE_RT_LAZY=1)
    def test_memory_without_pending_work_is_used_again_at_once(self, fake):
        x = torch.empty(1 << 16, device="infini")
        address = x.data_ptr()
        del x
        assert torch.empty(1 << 16, device="infini").data_ptr() == address

    @on_fake(FAKE_RT_LAZY=1, FAKE_RT_MEMORY_MB=64)
    def test_exhaustion_waits_for_what_is_pending(self, fake):
        host = torch.full((40 << 20,), 3, dtype=torch.uint8).pin_memory()
        x = host.to("infini", non_blocking=True)
        torch.infini.reset_accumulated_memory_stats()
        del x
        y = torch.ones(40 << 20, dtype=torch.uint8, device="infini")
        assert torch.infini.memory_stats()["num_alloc_retries"] > 0
        assert y.min().item() == y.max().item() == 1

    @on_fake(FAKE_RT_DELAY_US=100)
    def test_threads(self, fake):
        host = torch.arange(4096).pin_memory()
        failures = []

        def work(index):
            with torch.infini.stream(torch.infini.Stream(f"infini:{index % 2}")):
                for _ in range(80):
                    x = host.to(f"infini:{index % 2}", non_blocking=True)
                    x.record_stream(torch.infini.default_stream(index % 2))
                    y = x.clone()
                    del x
                    if not torch.equal(y.cpu(), host):
                        failures.append(index)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []

    @on_fake(FAKE_RT_LAZY=1)
    def test_freed_on_another_device(self, fake):
        host = torch.zeros(1 << 16).pin_memory()
        x = host.to("infini:1", non_blocking=True)
        torch.infini.set_device(0)
        del x
        assert torch.infini.current_device() == 0
        torch.infini.synchronize(1)
        torch.infini.empty_cache()
        assert fake.violations() == 0

    @on_fake(FAKE_RT_LAZY=1)
    def test_an_external_stream_that_is_gone(self, fake):
        x = torch.ones(1 << 16, device="infini")
        x.record_stream(torch.infini.ExternalStream(0x7F0000000000))
        del x
        assert torch.ones(2, device="infini").sum().item() == 2


class TestCache:
    def test_segments_come_and_go(self):
        infini.empty_cache()
        before = infini.memory_reserved()
        x = torch.empty(64 << 20, dtype=torch.uint8, device="infini")
        held = infini.memory_reserved() - before
        assert 64 << 20 <= held <= 70 << 20
        address = x.data_ptr()
        del x
        assert infini.memory_reserved() == before + held
        x = torch.empty(60 << 20, dtype=torch.uint8, device="infini")
        assert x.data_ptr() == address
        assert infini.memory_reserved() == before + held
        del x
        infini.empty_cache()
        assert infini.memory_reserved() <= before

    def test_a_training_like_loop_reserves_little(self):
        infini.empty_cache()
        infini.reset_peak_memory_stats()
        base = infini.memory_allocated(), infini.memory_reserved()
        for _ in range(5):
            layers = [
                torch.ones((1 << 18) + i * 5000, device="infini") for i in range(40)
            ]
            while layers:
                layers.pop()
        peak = infini.max_memory_allocated() - base[0]
        assert infini.max_memory_reserved() - base[1] < 1.1 * peak

    @on_fake(FAKE_RT_MEMORY_MB=64)
    def test_what_is_kept_is_given_back_on_exhaustion(self, fake):
        for mb in (10, 20, 40, 60):
            torch.empty(mb << 20, dtype=torch.uint8, device="infini")
        with pytest.raises(torch.OutOfMemoryError, match="reserved"):
            torch.empty(70 << 20, dtype=torch.uint8, device="infini")
        assert torch.infini.memory_stats()["num_ooms"] == 1

    def test_foreign_memory_is_left_alone(self):
        for size in (1, 16, 64, 4096, 1 << 20):
            x = torch.ones(size)
            del x
        y = torch.zeros(1, device="infini")
        assert y.item() == 0
