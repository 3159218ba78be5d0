"""Pinned host memory."""

import gc

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini
MIB = 1 << 20
pytestmark = pytest.mark.filterwarnings(
    "ignore:The argument 'device' of Tensor", "ignore:TypedStorage is deprecated"
)


@pytest.fixture(autouse=True)
def emptied():
    gc.collect()
    infini.init()
    infini.empty_cache()


def pinned(*shape, **options):
    return torch.zeros(*shape, **options).pin_memory("infini")


class TestPinning:
    def test_tensor(self):
        x = torch.arange(6.0)
        y = x.pin_memory("infini")
        assert not x.is_pinned()
        assert y.is_pinned()
        assert y.is_pinned("infini")
        assert y.device.type == "cpu"
        assert torch.equal(x, y)
        assert y.pin_memory("infini").data_ptr() == y.data_ptr()

    def test_without_a_device_argument(self):
        assert torch.ones(3).pin_memory().is_pinned()
        assert torch.empty(3, pin_memory=True).is_pinned("infini")
        assert torch.zeros(3, pin_memory=True).tolist() == [0, 0, 0]

    def test_storage(self):
        for make in (torch.zeros(5).untyped_storage, torch.zeros(5).storage):
            storage = make()
            assert not storage.is_pinned()
            assert storage.pin_memory().is_pinned()
        storage = torch.arange(5.0).untyped_storage()
        assert storage.pin_memory("infini").is_pinned("infini")
        assert torch.empty(0).set_(storage.pin_memory()).tolist() == [0, 1, 2, 3, 4]

    def test_views_are_pinned(self):
        x = pinned(4, 5)
        for view in (x[1], x[:, 3], x.t(), x[2:, 2:], x.flatten()[-1:], x.view(-1)[19]):
            assert view.is_pinned()
        assert not x.clone().is_pinned()

    def test_memory_next_to_it_is_not(self):
        x = pinned(1024)
        beyond = torch.frombuffer(bytearray(4096), dtype=torch.float32)
        assert not beyond.is_pinned()
        assert x[1023:].is_pinned()

    def test_layout_and_dtype(self):
        x = torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1)
        assert torch.equal(x.pin_memory(), x)
        for dtype in (torch.bool, torch.bfloat16, torch.complex64, torch.int16):
            y = torch.ones(3).to(dtype).pin_memory()
            assert y.is_pinned()
            assert y.dtype == dtype
        assert x.to(torch.complex64).conj().pin_memory().is_pinned()

    @pytest.mark.parametrize("shape", [(0,), (0, 64)])
    def test_empty(self, shape):
        x = torch.zeros(shape).pin_memory("infini")
        assert x.shape == shape
        assert x.to("infini").shape == shape

    def test_alignment(self):
        for size in (1, 3, 64, 100, 4097, MIB + 1):
            assert pinned(size, dtype=torch.uint8).data_ptr() % 64 == 0

    def test_device_tensors_cannot_be_pinned(self):
        x = torch.ones(3, device="infini")
        assert not x.is_pinned()
        with pytest.raises(RuntimeError, match=r"(?i)only.*CPU.*pinned|cannot pin"):
            x.pin_memory("infini")
        with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
            torch.empty(3, device="infini", pin_memory=True)

    def test_requires_grad(self):
        x = torch.ones(3, requires_grad=True)
        x.pin_memory("infini").sum().backward()
        assert x.grad.tolist() == [1, 1, 1]


class TestReuse:
    def test_a_freed_block_is_used_again(self):
        x = pinned(1000)
        address = x.data_ptr()
        del x
        assert pinned(900).data_ptr() == address

    def test_a_live_block_is_not(self):
        x = pinned(1000)
        assert pinned(1000).data_ptr() != x.data_ptr()

    def test_a_view_keeps_the_block(self):
        x = pinned(1000)
        address = x.data_ptr()
        view = x[10:]
        del x
        assert pinned(1000).data_ptr() != address
        assert view.is_pinned()

    def test_empty_cache_gives_blocks_back(self, run_python):
        code = """
import resource, torch, torch_infini
def used():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
torch.infini.init()
x = torch.ones(1 << 25).pin_memory()
full = used()
del x
assert full - used() < 8 << 20
torch.infini.empty_cache()
assert full - used() > 100 << 20, (full, used())
"""
        run_python(code)


class TestErrors:
    @pytest.mark.parametrize("size", [1 << 46, (1 << 62) + 1])
    def test_out_of_memory(self, size):
        with pytest.raises(
            torch.OutOfMemoryError, match=r"pinned.*allocate \d{14,} bytes"
        ):
            torch.empty(size, dtype=torch.uint8, pin_memory=True)
        assert pinned(3).is_pinned()


class TestCopies:
    @pytest.mark.parametrize("non_blocking", [True, False])
    @pytest.mark.parametrize("size", [1, 1000, 3 * MIB])
    def test_both_ways(self, non_blocking, size):
        values = torch.arange(size, dtype=torch.int32)
        x = values.pin_memory("infini").to("infini", non_blocking=non_blocking)
        y = torch.empty(size, dtype=torch.int32, pin_memory=True)
        y.copy_(x, non_blocking=non_blocking)
        infini.current_stream().synchronize()
        assert torch.equal(y, values)

    def test_to_cpu_non_blocking(self):
        y = torch.arange(5.0, device="infini").to("cpu", non_blocking=True)
        infini.synchronize()
        assert y.tolist() == [0, 1, 2, 3, 4]

    def test_many_threads(self):
        import threading

        failures = []

        def work(value):
            for i in range(100):
                x = torch.full((1000,), value * 100 + i).pin_memory("infini")
                y = x.to("infini", non_blocking=True)
                del x
                if not bool((y == value * 100 + i).all()):
                    failures.append((value, i))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


class TestDataLoader:
    @pytest.mark.parametrize("workers", [0, 2])
    def test_batches_are_pinned(self, run_python, workers):
        code = f"""
import torch, torch_infini
data = torch.utils.data.TensorDataset(torch.arange(64.0).view(32, 2), torch.arange(32))
loader = torch.utils.data.DataLoader(
    data, batch_size=8, num_workers={workers}, pin_memory=True
)
seen = []
for x, y in loader:
    assert x.is_pinned() and y.is_pinned() and x.is_pinned("infini")
    d = x.to("infini", non_blocking=True)
    assert d.sum().item() == x.sum().item()
    seen += y.tolist()
assert seen == list(range(32))
"""
        run_python(code)

    def test_structures(self):
        rows = [{"a": torch.ones(2), "b": [torch.zeros(3), 4]} for _ in range(4)]
        loader = torch.utils.data.DataLoader(
            rows, batch_size=2, pin_memory=True, pin_memory_device="infini"
        )
        for batch in loader:
            assert batch["a"].is_pinned()
            assert batch["b"][0].is_pinned()
