"""as_cpu and from_cpu: one memory under the names of two devices."""

import gc
import threading

import numpy as np
import pytest
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from torch import nn
from torch._subclasses import FakeTensorMode

from csrc.fake_runtime import on_fake

infini = torch.infini
DISCRETE = {"FAKE_RT_CAPABILITIES": "async_memcpy,host_allocation,events"}
NOT_RESIZABLE = "Trying to resize storage that is not resizable"
pytestmark = pytest.mark.needs("host-access")
VIEWS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.t(),
    "row": lambda x: x[1],
    "every second": lambda x: x[:, ::2],
    "expanded": lambda x: x[:1].expand(4, 3),
    "scalar": lambda x: x[1, 2],
    "empty": lambda x: x[:0],
    "other dtype": lambda x: x.view(torch.int16),
}


@pytest.fixture(params=["as_cpu", "from_cpu"])
def pair(request):
    """A tensor and its other name."""
    if request.param == "as_cpu":
        x = torch.arange(6.0, device="infini").reshape(2, 3)
        return x, infini.as_cpu(x)
    x = torch.arange(6.0).reshape(2, 3)
    return x, infini.from_cpu(x)


class TestOneMemory:
    @pytest.mark.parametrize("view", VIEWS)
    def test_layout(self, view):
        x = VIEWS[view](torch.arange(6.0, device="infini").reshape(2, 3))
        host = infini.as_cpu(x)
        back = infini.from_cpu(host)
        for other in (host, back):
            assert other.data_ptr() == x.data_ptr()
            assert other.dtype == x.dtype
            assert (other.shape, other.stride()) == (x.shape, x.stride())
            assert other.storage_offset() == x.storage_offset()
            assert other.cpu().tolist() == x.tolist()
        assert (host.device.type, back.device) == ("cpu", x.device)

    def test_writes_are_seen_by_both(self, pair):
        x, other = pair
        x.mul_(2)
        assert other.tolist() == [[0, 2, 4], [6, 8, 10]]
        other[1] += 1
        x[:, 0].zero_()
        torch.add(other, 1, out=other)
        assert x.tolist() == other.tolist() == [[1, 3, 5], [1, 10, 12]]

    def test_kernels_of_every_provider_write_there(self):
        host = torch.zeros(4, 4)
        x = infini.from_cpu(host)
        x.copy_(torch.ones(4, 4))
        x.add_(x)  # infiniops
        torch.mm(x.clone(), x.clone(), out=x[:, :].t())
        x[0].normal_()
        order = torch.empty(0, dtype=torch.int64, device="infini")
        torch.sort(x.clone(), out=(x, order))
        assert torch.equal(x.cpu(), host)
        assert host.unique().numel() == 5

    def test_numpy_on_device_memory(self):
        x = torch.zeros(3, device="infini")
        array = infini.as_cpu(x).numpy()
        array += [1, 2, 3]
        assert x.tolist() == [1, 2, 3]
        assert array.ctypes.data == x.data_ptr()

    def test_pinned_memory(self):
        host = torch.zeros(64).pin_memory()
        x = infini.from_cpu(host)
        x.fill_(2)
        assert host.sum().item() == 128
        assert infini.as_cpu(x).is_pinned()

    def test_a_module_trains_on_cpu_memory(self):
        layer = nn.Linear(2, 1)
        host = layer.weight.detach()
        with torch.no_grad():
            layer.bias.zero_()
        twin = nn.Linear(2, 1, device="infini")
        twin.weight = nn.Parameter(infini.from_cpu(layer.weight))
        before = host.clone()
        optimizer = torch.optim.SGD(twin.parameters(), 0.1)
        twin(torch.ones(1, 2, device="infini")).sum().backward()
        optimizer.step()
        assert torch.equal(host, before - 0.1)


class TestLifetime:
    def test_each_side_keeps_the_memory(self):
        before = infini.memory_allocated()
        x = torch.ones(1 << 18, device="infini")
        host = infini.as_cpu(x)
        back = infini.from_cpu(host)
        del x
        assert infini.memory_allocated() == before + (1 << 20)
        torch.full((1 << 18,), 5.0, device="infini")
        assert host.sum().item() == 1 << 18
        del host
        assert infini.memory_allocated() == before + (1 << 20)
        assert back.sum().item() == 1 << 18
        del back
        gc.collect()
        assert infini.memory_allocated() == before

    def test_cpu_memory_is_not_counted_and_lives(self):
        before = infini.memory_allocated()
        x = infini.from_cpu(torch.full((1 << 20,), 3.0))
        assert infini.memory_allocated() == before
        [torch.zeros(1 << 20) for _ in range(3)]
        assert x.min().item() == x.max().item() == 3
        array = np.zeros(1 << 12, dtype=np.uint8)
        start = -array.ctypes.data % 64
        y = infini.from_cpu(torch.from_numpy(array[start : start + 64]))
        del array
        gc.collect()
        assert y.add_(1).sum().item() == 64

    def test_threads(self):
        failures = []

        def work():
            for value in range(100):
                x = torch.full((1000,), float(value), device="infini")
                host = infini.as_cpu(x)
                del x
                if infini.from_cpu(host).add(1).sum().item() != 1000 * (value + 1):
                    failures.append(value)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []

    @pytest.mark.parametrize("side", [0, 1])
    @pytest.mark.parametrize(
        "resize",
        [
            lambda x: x.resize_(100),
            lambda x: x.untyped_storage().resize_(0),
            lambda x: torch.ones(50, out=x),
            lambda x: torch.add(torch.ones(50, device=x.device), 1, out=x),
        ],
        ids=["tensor", "storage", "factory", "out"],
    )
    def test_resizing_is_refused_on_both_sides(self, pair, side, resize):
        with pytest.raises(RuntimeError, match=NOT_RESIZABLE):
            resize(pair[side])
        assert pair[1 - side].tolist() == [[0, 1, 2], [3, 4, 5]]
        # PyTorch's CPU changes the sizes before it refuses.
        if pair[side].device.type == "infini":
            assert pair[side].tolist() == [[0, 1, 2], [3, 4, 5]]

    def test_what_fits_may_be_resized(self, pair):
        for x in pair:
            assert x.view(6).resize_(2).tolist() == [0, 1]


class TestAutograd:
    def test_the_result_is_detached(self, pair):
        leaf = torch.ones(3, requires_grad=True)
        product = leaf.to("infini") * 2
        assert not infini.as_cpu(product).requires_grad
        assert not infini.from_cpu(leaf * 2).requires_grad
        assert infini.from_cpu(nn.Parameter(torch.ones(2))).is_leaf
        product.sum().backward()
        assert leaf.grad.tolist() == [2, 2, 2]

    def test_a_write_to_what_backward_needs_is_noticed(self):
        leaf = torch.ones(3, device="infini", requires_grad=True)
        square = (leaf * leaf).sum()
        infini.as_cpu(leaf).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            square.backward()
        host = torch.ones(3, requires_grad=True)
        square = (host * host).sum()
        infini.from_cpu(host).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            square.backward()

    def test_inference_tensors(self):
        with torch.inference_mode():
            x = torch.ones(3, device="infini")
            assert infini.as_cpu(x).add_(1).sum().item() == 6
        assert infini.as_cpu(x).tolist() == [2, 2, 2]


class TestRefused:
    def test_lazy_bits(self):
        z = torch.ones(2, dtype=torch.complex64)
        for function, x in (
            (infini.as_cpu, z.to("infini")),
            (infini.from_cpu, z),
        ):
            with pytest.raises(RuntimeError, match=r"use tensor\.resolve_conj\(\)"):
                function(x.conj())
            with pytest.raises(RuntimeError, match=r"use tensor\.resolve_neg\(\)"):
                function(x.conj().imag)
            assert function(x.conj().resolve_conj()).tolist() == [1, 1]

    def test_other_devices(self):
        with pytest.raises(RuntimeError, match=r"of device infini, but got one of cpu"):
            infini.as_cpu(torch.ones(2))
        with pytest.raises(RuntimeError, match=r"device cpu, but got one of infini:0"):
            infini.from_cpu(torch.ones(2, device="infini"))
        with pytest.raises(RuntimeError, match=r"but got one of meta"):
            infini.from_cpu(torch.ones(2, device="meta"))
        with pytest.raises(ValueError, match="Expected an infini device"):
            infini.from_cpu(torch.ones(2), "cpu")
        with pytest.raises(RuntimeError, match="index 9 is out of range"):
            infini.from_cpu(torch.ones(2), "infini:9")

    @pytest.mark.parametrize("offset", [8, 16, 32])
    def test_unaligned_memory(self, offset):
        array = np.zeros(256, dtype=np.uint8)
        start = -array.ctypes.data % 64 + offset
        host = torch.from_numpy(array[start : start + 64])
        with pytest.raises(RuntimeError, match=r"not aligned to 64 bytes.*clone\(\)"):
            infini.from_cpu(host)
        assert infini.from_cpu(host.clone()).sum().item() == 0

    def test_what_is_no_plain_tensor(self):
        x = torch.ones(2, 2, device="infini")
        for function in (infini.as_cpu, infini.from_cpu):
            with pytest.raises(
                TypeError, match=r"expects a torch\.Tensor, but got list"
            ):
                function([1.0])
        with pytest.raises(NotImplementedError, match="layout Sparse"):
            infini.from_cpu(torch.eye(2).to_sparse())
        with pytest.raises(RuntimeError, match="memory of its own"):
            torch.vmap(infini.as_cpu)(x)
        with pytest.raises(RuntimeError, match="memory of its own"):
            torch.func.grad(lambda y: infini.as_cpu(y).sum())(x)
        with FakeTensorMode() as mode, pytest.raises(RuntimeError, match="of its own"):
            infini.as_cpu(mode.from_tensor(x))

    def test_storages_without_memory(self):
        for function, device in ((infini.as_cpu, "infini"), (infini.from_cpu, "cpu")):
            x = torch.ones(2, device=device)
            x.untyped_storage().resize_(0)
            with pytest.raises(RuntimeError, match="has no memory"):
                function(x)


class TestStreams:
    @on_fake(FAKE_RT_LAZY=1)
    def test_as_cpu_waits_for_the_current_stream(self, fake):
        host = torch.arange(1 << 12).pin_memory()
        x = torch.zeros(1 << 12, dtype=torch.int64, device="infini")
        x.copy_(host, non_blocking=True)
        assert torch.equal(torch.infini.as_cpu(x), host)

    @on_fake(FAKE_RT_LAZY=1)
    def test_later_work_is_waited_for_by_the_caller(self, fake):
        source = torch.arange(1 << 12).pin_memory()
        x = torch.zeros(1 << 12, dtype=torch.int64, device="infini")
        host = torch.infini.as_cpu(x)
        x.copy_(source, non_blocking=True)
        torch.infini.synchronize()
        assert torch.equal(host, source)

    @on_fake(FAKE_RT_LAZY=1)
    def test_a_pending_copy_keeps_the_memory(self, fake):
        source = torch.arange(1 << 12).pin_memory()
        x = torch.zeros(1 << 12, dtype=torch.int64, device="infini")
        host = torch.infini.as_cpu(x)
        address = x.data_ptr()
        x.copy_(source, non_blocking=True)
        del x, host
        y = torch.empty(1 << 12, dtype=torch.int64, device="infini")
        assert y.data_ptr() != address

    @on_fake(FAKE_RT_DEVICES=2)
    def test_the_device_is_kept(self, fake):
        x = torch.ones(3, device="infini:1")
        host = torch.infini.as_cpu(x)
        assert torch.infini.from_cpu(host, 1).device == x.device
        assert torch.infini.from_cpu(host).device.index == 0
        with torch.infini.device(1):
            assert torch.infini.from_cpu(torch.ones(2)).device.index == 1

    @on_fake(**DISCRETE)
    def test_where_the_host_cannot_address_the_memory(self, fake):
        for function, x in (
            (torch.infini.as_cpu, torch.ones(2).to("infini")),
            (torch.infini.from_cpu, torch.ones(2)),
        ):
            with pytest.raises(NotImplementedError, match="cannot address the memory"):
                function(x)
