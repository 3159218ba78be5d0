"""Asynchronous copies: early return, lifetimes, errors, two devices."""

import gc

import pytest
import torch

from csrc.fake_runtime import on_fake

# Nothing runs before it is waited for: what is pending does not depend on time.
LAZY = {"FAKE_RT_LAZY": 1}
SIZE = 1 << 16


def pending():
    return not torch.infini.current_stream().query()


class TestEarlyReturn:
    @on_fake(**LAZY)
    def test_pinned_and_non_blocking(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        assert pending()
        back = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        back.copy_(device, non_blocking=True)
        assert pending()
        assert back.sum() == 0
        torch.infini.synchronize()
        assert torch.equal(back, host)

    @on_fake(**LAZY)
    def test_to(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = host.to("infini", non_blocking=True)
        assert pending()
        assert torch.equal(device.cpu(), host)

    @on_fake(**LAZY)
    @pytest.mark.parametrize("pinned", [True, False])
    @pytest.mark.parametrize("non_blocking", [True, False])
    def test_otherwise_the_copy_has_finished(self, fake, pinned, non_blocking):
        if pinned and non_blocking:
            host = torch.arange(2.0 * SIZE).pin_memory()[::2]
        else:
            host = torch.arange(1.0 * SIZE)
            host = host.pin_memory() if pinned else host
        device = torch.zeros(SIZE, device="infini")
        device.copy_(host, non_blocking=non_blocking)
        assert not pending()
        expected = host.clone()
        host.zero_()
        back = torch.zeros(2 * SIZE).pin_memory() if pinned else torch.zeros(2 * SIZE)
        back = back[::2] if pinned and non_blocking else back[:SIZE]
        back.copy_(device, non_blocking=non_blocking)
        assert not pending()
        assert torch.equal(back, expected)

    @on_fake(**LAZY, FAKE_RT_CAPABILITIES="host_allocation,events,host_access")
    def test_not_without_asynchronous_memcpy(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        before = fake.calls("MemcpyAsync")
        device.copy_(host, non_blocking=True)
        assert not pending()
        device.clone()
        assert fake.calls("MemcpyAsync") == before
        assert torch.equal(device.cpu(), host)

    @on_fake(**LAZY, FAKE_RT_CAPABILITIES="async_memcpy,events,host_access")
    def test_not_without_host_allocation(self, fake):
        with pytest.raises(NotImplementedError, match="pinned host memory"):
            torch.ones(3).pin_memory()
        host = torch.arange(SIZE)
        assert not host.is_pinned()
        device = host.to("infini", non_blocking=True)
        assert not pending()
        host.zero_()
        assert device.sum().item() == SIZE * (SIZE - 1) // 2

    @on_fake(**LAZY, FAKE_RT_CAPABILITIES="async_memcpy,host_allocation")
    def test_without_events_and_host_access(self, fake):
        for _ in range(3):
            host = torch.arange(SIZE).pin_memory()
            device = host.to("infini", non_blocking=True)
            assert pending()
            del host
            assert torch.equal(device.cpu(), torch.arange(SIZE))
            del device
        with pytest.raises(NotImplementedError, match="events"):
            torch.infini.Event().record()

    @on_fake(**LAZY)
    def test_memory_that_only_looks_pinned_is_copied_at_once(self, fake):
        pinned = torch.arange(1.0 * SIZE).pin_memory()
        inside = torch.from_numpy(pinned.numpy()[16:])
        assert inside.is_pinned()
        device = inside.to("infini", non_blocking=True)
        assert not pending()
        del inside, pinned
        other = torch.zeros(SIZE).pin_memory()
        assert device[0].item() == 16
        assert other.sum() == 0

    @on_fake(**LAZY)
    def test_size_one_dimensions_do_not_matter(self, fake):
        host = torch.arange(1.0 * SIZE).view(1, SIZE).pin_memory()
        device = torch.empty(SIZE, 1, device="infini").t()
        assert host.stride() != device.stride()
        device.copy_(host, non_blocking=True)
        assert pending()
        assert torch.equal(device.cpu(), host)

    @on_fake(**LAZY)
    def test_equal_bits_do_not_matter(self, fake):
        host = torch.tensor([1 + 2j] * SIZE).pin_memory()
        device = torch.empty(SIZE, dtype=torch.complex64, device="infini")
        device.conj().copy_(host.conj(), non_blocking=True)
        assert pending()
        assert torch.equal(device.cpu(), host)
        device.copy_(host.conj(), non_blocking=True)
        assert not pending()
        assert torch.equal(device.cpu(), host.conj())

    @on_fake(**LAZY)
    def test_copies_on_the_device(self, fake):
        device = torch.arange(SIZE, device="infini")
        other = device.clone()
        assert pending()
        device.zero_()
        assert torch.equal(other.cpu(), torch.arange(SIZE))

    @on_fake(**LAZY)
    def test_overlap_is_an_error_before_anything_is_queued(self, fake):
        x = torch.arange(SIZE, device="infini")
        before = fake.calls("MemcpyAsync")
        with pytest.raises(RuntimeError, match="single memory location"):
            x[1:].copy_(x[:-1])
        assert fake.calls("MemcpyAsync") == before


class TestLifetimes:
    @on_fake(**LAZY)
    def test_pinned_source_freed_and_memory_wanted_again(self, fake):
        host = torch.full((SIZE,), 7).pin_memory()
        address = host.data_ptr()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        del host
        others = [torch.full((SIZE,), 9).pin_memory() for _ in range(3)]
        assert not pending() or address not in {x.data_ptr() for x in others}
        assert bool((device == 7).all())

    @on_fake(**LAZY)
    def test_the_block_is_used_again_afterwards(self, fake):
        host = torch.full((SIZE,), 7).pin_memory()
        address = host.data_ptr()
        device = host.to("infini", non_blocking=True)
        del host
        torch.infini.synchronize()
        assert torch.full((SIZE,), 1).pin_memory().data_ptr() == address
        assert bool((device == 7).all())

    @on_fake(**LAZY)
    @pytest.mark.parametrize("how", ["freed", "resized", "set"])
    def test_device_source(self, fake, how):
        device = torch.full((SIZE,), 5, device="infini")
        torch.infini.synchronize()
        back = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        back.copy_(device, non_blocking=True)
        if how == "freed":
            del device
        elif how == "resized":
            device.untyped_storage().resize_(0)
        else:
            device.set_()
        others = [torch.full((SIZE,), 6, device="infini") for _ in range(3)]
        torch.infini.synchronize()
        assert bool((back == 5).all())
        assert fake.violations() == 0
        del others

    @on_fake(**LAZY)
    @pytest.mark.parametrize("how", ["freed", "resized"])
    def test_device_destination(self, fake, how):
        host = torch.full((SIZE,), 5).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        if how == "freed":
            del device
        else:
            device.untyped_storage().resize_(0)
        others = [torch.full((SIZE,), 6, device="infini") for _ in range(3)]
        torch.infini.synchronize()
        assert all(bool((x == 6).all()) for x in others)
        assert fake.violations() == 0

    @on_fake(**LAZY)
    def test_resize_keeps_what_a_copy_is_still_writing(self, fake):
        host = torch.full((SIZE,), 5).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        device.untyped_storage().resize_(16 * SIZE)
        assert bool((device == 5).all())

    @on_fake(**LAZY)
    def test_pinned_destination_freed(self, fake):
        device = torch.full((SIZE,), 5, device="infini")
        back = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        back.copy_(device, non_blocking=True)
        del back
        others = [torch.full((SIZE,), 6).pin_memory() for _ in range(3)]
        torch.infini.synchronize()
        assert all(bool((x == 6).all()) for x in others)

    @on_fake(**LAZY)
    def test_views_keep_what_they_view(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = host[SIZE // 2 :].to("infini", non_blocking=True)
        del host
        other = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        assert device[0].item() == SIZE // 2
        del other

    @on_fake(**LAZY)
    def test_copies_on_the_device(self, fake):
        x = torch.arange(SIZE, device="infini")
        y = x.clone()
        del x
        z = torch.zeros(SIZE, dtype=torch.int64, device="infini")
        assert torch.equal(y.cpu(), torch.arange(SIZE))
        del z

    @on_fake(**LAZY)
    def test_freeing_does_not_block(self, fake):
        host = torch.zeros(SIZE).pin_memory()
        device = torch.empty(SIZE, device="infini")
        device.copy_(host, non_blocking=True)
        del host, device
        assert pending()

    @on_fake(FAKE_RT_DELAY_US=200)
    def test_many(self, fake):
        for i in range(200):
            host = torch.full((1000,), i).pin_memory()
            x = host.to("infini", non_blocking=True)
            del host
            y = x.clone()
            del x
            back = torch.empty(1000, dtype=torch.int64, pin_memory=True)
            back.copy_(y, non_blocking=True)
            del y
            torch.infini.current_stream().synchronize()
            assert bool((back == i).all()), i
        gc.collect()

    @on_fake(FAKE_RT_DELAY_US=200)
    def test_many_on_several_threads_and_streams(self, fake):
        import threading

        failures = []

        def work(value):
            stream = torch.infini.Stream()
            with torch.infini.stream(stream):
                for i in range(50):
                    host = torch.full((1000,), value * 50 + i).pin_memory()
                    x = host.to("infini", non_blocking=True)
                    del host
                    y = x.clone()
                    del x
                    back = torch.empty(1000, dtype=torch.int64, pin_memory=True)
                    back.copy_(y, non_blocking=True)
                    del y
                    stream.synchronize()
                    if not bool((back == value * 50 + i).all()):
                        failures.append((value, i))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


class TestErrors:
    @on_fake(FAKE_RT_FAIL="MemcpyAsync:1")
    def test_refused_submission(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = torch.zeros(SIZE, dtype=torch.int64, device="infini")
        with pytest.raises(RuntimeError, match="MemcpyAsync failed on infini"):
            device.copy_(host, non_blocking=True)
        device.copy_(host, non_blocking=True)
        assert torch.equal(device.cpu(), host)

    @on_fake(FAKE_RT_FAIL="StreamSynchronize:1")
    def test_failure_that_shows_at_a_synchronize(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        with pytest.raises(RuntimeError, match="StreamSynchronize failed on infini"):
            torch.infini.current_stream().synchronize()
        assert torch.equal(device.cpu(), host)

    @on_fake(FAKE_RT_FAIL="StreamSynchronize:1", FAKE_RT_DELAY_US=2001)
    def test_failure_that_shows_at_the_next_copy(self, fake):
        host = torch.arange(SIZE).pin_memory()
        device = torch.empty(SIZE, dtype=torch.int64, device="infini")
        device.copy_(host, non_blocking=True)
        with pytest.raises(RuntimeError, match="StreamSynchronize failed on infini"):
            device.cpu()
        assert torch.equal(device.cpu(), host)

    @on_fake(FAKE_RT_FAIL="EventRecord:1+")
    @pytest.mark.filterwarnings("ignore")
    def test_frees_wait_where_no_event_can_be_recorded(self, fake):
        for _ in range(3):
            host = torch.full((SIZE,), 5).pin_memory()
            device = host.to("infini", non_blocking=True)
            del host
            other = torch.full((SIZE,), 6).pin_memory()
            assert bool((device == 5).all())
            del device, other
        torch.infini.synchronize()
        assert fake.violations() == 0

    @on_fake(FAKE_RT_FAIL="EventQuery:1")
    def test_a_failed_query_loses_no_memory(self, fake):
        for _ in range(3):
            device = torch.full((SIZE,), 5).pin_memory().to("infini", non_blocking=True)
            del device
            torch.infini.synchronize()
        fake.settle()
        assert torch.ones(3, device="infini").sum().item() == 3

    @on_fake(FAKE_RT_FAIL="Memcpy:1", FAKE_RT_CAPABILITIES="async_memcpy,events")
    def test_synchronous_copies(self, fake):
        with pytest.raises(RuntimeError, match="Memcpy failed on infini"):
            torch.arange(8.0).to("infini")
        assert torch.arange(8.0).to("infini").cpu()[7] == 7

    @on_fake(FAKE_RT_MEMORY_MB=16)
    def test_out_of_memory_waits_for_pending_frees(self, fake):
        for _ in range(6):
            host = torch.zeros(1 << 20).pin_memory()
            device = [host.to("infini", non_blocking=True) for _ in range(2)]
            del device
        with pytest.raises(torch.OutOfMemoryError, match="allocate 33554432 bytes"):
            torch.empty(1 << 25, dtype=torch.uint8, device="infini")
        assert torch.ones(3, device="infini").sum().item() == 3


class TestTwoDevices:
    @on_fake(**LAZY)
    def test_across(self, fake):
        host = torch.arange(SIZE)
        x = host.to("infini:0")
        y = x.to("infini:1")
        assert y.device.index == 1
        assert torch.equal(y.cpu(), host)
        y.add_(1)
        x.copy_(y)
        assert torch.equal(x.cpu(), host + 1)
        z = torch.zeros(2, SIZE, device="infini:1", dtype=torch.float64).t()
        z.copy_(x.unsqueeze(1))
        assert torch.equal(z.cpu(), (host + 1).double().unsqueeze(1).expand(SIZE, 2))

    @on_fake(**LAZY)
    def test_across_waits_for_work_of_both(self, fake):
        host = torch.arange(SIZE).pin_memory()
        x = host.to("infini:0", non_blocking=True)
        y = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        y = y.to("infini:1", non_blocking=True)
        y.copy_(x, non_blocking=True)
        assert torch.equal(y.cpu(), host)

    @on_fake(**LAZY)
    def test_non_blocking_uses_the_stream_of_the_tensors_device(self, fake):
        torch.infini.set_device(0)
        host = torch.arange(SIZE).pin_memory()
        x = host.to("infini:1", non_blocking=True)
        assert not torch.infini.current_stream(1).query()
        assert torch.infini.current_stream(0).query()
        assert torch.infini.current_device() == 0
        assert torch.equal(x.cpu(), host)

    @on_fake(**LAZY)
    def test_guards(self, fake):
        with torch.infini.device(1):
            x = torch.ones(3, device="infini")
            assert x.device.index == 1
            with pytest.raises(RuntimeError):
                x.copy_(torch.ones(4))
            assert torch.infini.current_device() == 1
        assert torch.infini.current_device() == 0
        assert (x + x).device.index == 1
        assert torch.infini.current_device() == 0

    @on_fake(**LAZY)
    def test_streams_are_per_device(self, fake):
        one, two = torch.infini.Stream("infini:0"), torch.infini.Stream("infini:1")
        with torch.infini.stream(two):
            assert torch.infini.current_device() == 1
            assert torch.infini.current_stream(1) == two
            assert torch.infini.current_stream(0) != one
        assert torch.infini.current_stream(1) == torch.infini.default_stream(1)

    @on_fake(**LAZY)
    def test_events_between_streams(self, fake):
        host = torch.full((SIZE,), 3).pin_memory()
        x = torch.zeros(SIZE, dtype=torch.int64, device="infini")
        torch.infini.synchronize()
        first, second = torch.infini.Stream(), torch.infini.Stream()
        back = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        with torch.infini.stream(first):
            x.copy_(host, non_blocking=True)
            event = first.record_event()
        with torch.infini.stream(second):
            second.wait_event(event)
            back.copy_(x, non_blocking=True)
            assert not event.query()
        second.synchronize()
        assert event.query()
        assert bool((back == 3).all())

    @on_fake(**LAZY)
    def test_without_the_event_the_order_is_another(self, fake):
        host = torch.full((SIZE,), 3).pin_memory()
        x = torch.zeros(SIZE, dtype=torch.int64, device="infini")
        torch.infini.synchronize()
        first, second = torch.infini.Stream(), torch.infini.Stream()
        back = torch.zeros(SIZE, dtype=torch.int64).pin_memory()
        with torch.infini.stream(first):
            x.copy_(host, non_blocking=True)
        with torch.infini.stream(second):
            back.copy_(x, non_blocking=True)
        torch.infini.synchronize()
        assert bool((back == 0).all())

    @on_fake(**LAZY)
    def test_an_event_across_devices(self, fake):
        host = torch.full((SIZE,), 3).pin_memory()
        x = torch.zeros(SIZE, dtype=torch.int64, device="infini:0")
        torch.infini.synchronize(0)
        x.copy_(host, non_blocking=True)
        event = torch.infini.current_stream(0).record_event()
        other = torch.infini.Stream("infini:1")
        other.wait_event(event)
        assert not other.query()
        other.synchronize()
        assert event.query()
        assert bool((x == 3).all())

    @on_fake(**LAZY)
    def test_record_stream(self, fake):
        x = torch.zeros(SIZE, dtype=torch.int64, device="infini")
        host = torch.full((SIZE,), 3).pin_memory()
        torch.infini.synchronize()
        side = torch.infini.Stream()
        with torch.infini.stream(side):
            torch.empty_like(x).copy_(host, non_blocking=True)
        x.record_stream(side)
        live = fake.live_allocations()
        del x
        assert fake.live_allocations() == live
        side.synchronize()
        torch.infini.empty_cache()
        assert fake.live_allocations() < live


@on_fake(**LAZY)
def test_data_loader(fake):
    data = torch.utils.data.TensorDataset(torch.arange(4096.0).view(64, 64))
    loader = torch.utils.data.DataLoader(data, batch_size=16, pin_memory=True)
    total = 0.0
    for (batch,) in loader:
        assert batch.is_pinned()
        on_device = batch.to("infini", non_blocking=True)
        assert pending()
        total += on_device.sum().item()
    assert total == 4095 * 4096 / 2
