"""DLPack: capsules as they are, tensors after torch.infini.enable_dlpack()."""

import gc

import numpy as np
import pytest
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from dtypes import ALL as DTYPES
from torch.utils.dlpack import DLDeviceType, from_dlpack, to_dlpack

infini = torch.infini
CAPSULES = {
    "to_dlpack": to_dlpack,
    "__dlpack__": lambda x: x.__dlpack__(),
    "versioned": lambda x: x.__dlpack__(max_version=(1, 0)),
    "newer": lambda x: x.__dlpack__(max_version=(2, 3)),
}


@pytest.fixture
def enabled():
    infini.enable_dlpack()
    yield
    infini.disable_dlpack()


@pytest.fixture(params=["infini", "cpu"])
def tensor(request):
    return torch.arange(6.0, device=request.param).reshape(2, 3)


class TestCapsules:
    @pytest.mark.parametrize("make", CAPSULES)
    @pytest.mark.parametrize("take", [from_dlpack, torch.from_dlpack])
    def test_one_memory(self, tensor, make, take):
        y = take(CAPSULES[make](tensor))
        assert y.device == tensor.device
        assert y.data_ptr() == tensor.data_ptr()
        y[0] += 1
        assert tensor.tolist() == [[1, 2, 3], [3, 4, 5]]

    @pytest.mark.parametrize("dtype", DTYPES, ids=str)
    @pytest.mark.parametrize("make", ["to_dlpack", "versioned"])
    def test_dtypes(self, device, dtype, make):
        x = torch.arange(32, dtype=torch.uint8, device=device)
        x = (x % 2 if dtype is torch.bool else x).view(dtype)
        y = from_dlpack(CAPSULES[make](x))
        assert (y.dtype, y.device) == (x.dtype, x.device)
        assert y.view(torch.uint8).tolist() == x.view(torch.uint8).tolist()

    @pytest.mark.parametrize(
        "view",
        [
            lambda x: x.t(),
            lambda x: x[:, 1:],
            lambda x: x[1, ::2],
            lambda x: x[:, :1].expand(2, 5),
            lambda x: x[1, 1],
            lambda x: x[:0],
            lambda x: x.reshape(1, 2, 1, 3),
        ],
        ids=["transposed", "slice", "step", "expanded", "scalar", "empty", "ones"],
    )
    def test_strides(self, tensor, view):
        x = view(tensor)
        y = from_dlpack(to_dlpack(x))
        assert y.shape == x.shape
        if x.numel():
            assert y.data_ptr() == x.data_ptr()
        assert y.tolist() == x.tolist()
        assert [s for s, n in zip(y.stride(), y.shape, strict=True) if n > 1] == [
            s for s, n in zip(x.stride(), x.shape, strict=True) if n > 1
        ]

    def test_lifetime(self):
        gc.collect()
        before = infini.memory_allocated()
        x = torch.ones(1 << 18, device="infini")
        capsule = to_dlpack(x)
        del x
        y = from_dlpack(capsule)
        del capsule
        assert infini.memory_allocated() == before + (1 << 20)
        assert y.sum().item() == 1 << 18
        del y
        unused = to_dlpack(torch.ones(1 << 18, device="infini"))
        assert infini.memory_allocated() == before + (1 << 20)
        del unused
        gc.collect()
        assert infini.memory_allocated() == before

    def test_a_capsule_serves_once(self, tensor):
        capsule = to_dlpack(tensor)
        from_dlpack(capsule)
        with pytest.raises(RuntimeError, match="consumed only once"):
            from_dlpack(capsule)

    def test_operators_on_what_came_back(self, tensor):
        y = from_dlpack(to_dlpack(tensor))
        assert (y @ y.t() + 1).tolist() == (tensor @ tensor.t() + 1).tolist()
        order = torch.empty_like(y, dtype=torch.int64)
        torch.sort(y, descending=True, out=(y, order))
        assert tensor.tolist() == [[2, 1, 0], [5, 4, 3]]
        with pytest.raises(RuntimeError, match="not resizable"):
            y.resize_(100)

    def test_copy(self, tensor):
        made = tensor.__dlpack__(max_version=(1, 0), copy=True)
        assert from_dlpack(made).data_ptr() != tensor.data_ptr()
        made = tensor.__dlpack__(max_version=(1, 0), copy=False)
        assert from_dlpack(made).data_ptr() == tensor.data_ptr()

    def test_to_the_cpu(self):
        x = torch.arange(3.0, device="infini")
        y = from_dlpack(x.__dlpack__(dl_device=(DLDeviceType.kDLCPU, 0)))
        assert y.device.type == "cpu"
        assert y.tolist() == [0, 1, 2]
        with pytest.raises(ValueError, match="from infini:0 to cpu without copying"):
            x.__dlpack__(dl_device=(DLDeviceType.kDLCPU, 0), copy=False)

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda x: x.requires_grad_(), "require gradient"),
            (lambda x: x.to(torch.complex64).conj(), "conjugate bit"),
        ],
    )
    def test_what_a_capsule_cannot_say(self, tensor, make, text):
        with pytest.raises(BufferError, match=text):
            make(tensor).__dlpack__()


class TestTensors:
    def test_without_the_opt_in(self):
        x = torch.ones(2, device="infini")
        assert not infini.is_dlpack_enabled()
        with pytest.raises(ValueError, match="Unknown device type infini for Dlpack"):
            torch.from_dlpack(x)

    def test_devices(self, enabled, tensor):
        kind, index = tensor.__dlpack_device__()
        assert index == 0
        expected = {"infini": DLDeviceType.kDLExtDev, "cpu": DLDeviceType.kDLCPU}
        assert kind == expected[tensor.device.type]
        pinned = torch.ones(2).pin_memory()
        assert pinned.__dlpack_device__()[0] == DLDeviceType.kDLCUDAHost

    def test_one_memory(self, enabled, tensor):
        y = torch.from_dlpack(tensor)
        assert y.data_ptr() == tensor.data_ptr()
        y.zero_()
        assert tensor.sum().item() == 0

    def test_copy(self, enabled, tensor):
        assert torch.from_dlpack(tensor, copy=True).data_ptr() != tensor.data_ptr()
        assert torch.from_dlpack(tensor, copy=False).data_ptr() == tensor.data_ptr()
        same = torch.from_dlpack(tensor, device=tensor.device, copy=False)
        assert same.data_ptr() == tensor.data_ptr()

    def test_between_devices(self, enabled):
        x = torch.arange(3.0, device="infini")
        assert torch.from_dlpack(x, device="cpu").tolist() == [0, 1, 2]
        y = torch.from_dlpack(x.cpu(), device="infini")
        assert y.device == x.device
        assert torch.from_dlpack(np.ones(2), device="infini").tolist() == [1, 1]
        with pytest.raises(ValueError, match="without copying"):
            torch.from_dlpack(x, device="cpu", copy=False)

    def test_subclasses_and_parameters(self, enabled):
        class Named(torch.Tensor):
            pass

        x = torch.ones(2, device="infini")
        assert torch.from_dlpack(x.as_subclass(Named)).data_ptr() == x.data_ptr()
        with pytest.raises(BufferError, match="require gradient"):
            torch.from_dlpack(torch.nn.Parameter(x))

    @pytest.mark.needs("host-access")
    def test_numpy(self, enabled):
        x = torch.arange(3.0, device="infini")
        with pytest.raises(RuntimeError, match="Unsupported device in DLTensor"):
            np.from_dlpack(x)
        assert np.from_dlpack(x, device="cpu").tolist() == [0, 1, 2]
        assert np.from_dlpack(infini.as_cpu(x)).ctypes.data == x.data_ptr()

    def test_the_undo(self):
        before = torch.Tensor.__dlpack__, torch.Tensor.__dlpack_device__
        infini.disable_dlpack()
        infini.enable_dlpack()
        infini.enable_dlpack()
        assert infini.is_dlpack_enabled()
        assert torch.Tensor.__dlpack_device__.__wrapped__ is before[1]
        infini.disable_dlpack()
        assert not infini.is_dlpack_enabled()
        assert (torch.Tensor.__dlpack__, torch.Tensor.__dlpack_device__) == before

    def test_the_undo_leaves_what_others_replaced(self, monkeypatch):
        infini.enable_dlpack()
        with monkeypatch.context() as patch:
            patch.setattr(torch.Tensor, "__dlpack_device__", lambda self: (1, 0))
            with pytest.raises(RuntimeError, match="__dlpack_device__ since"):
                infini.disable_dlpack()
            assert infini.is_dlpack_enabled()
            assert torch.ones(1).__dlpack_device__() == (1, 0)
        infini.disable_dlpack()

    @pytest.mark.parametrize("stream", ["a", 1.5, True])
    def test_streams_that_are_none(self, enabled, stream):
        x = torch.ones(2, device="infini")
        with pytest.raises(TypeError, match="stream must be"):
            x.__dlpack__(stream=stream)

    def test_streams(self, enabled):
        x = torch.ones(2, device="infini")
        for stream in (None, -1, 0, infini.Stream().infini_stream):
            assert from_dlpack(x.__dlpack__(stream=stream)).tolist() == [1, 1]
        with pytest.raises(RuntimeError, match=r"handle is a pointer .*, got 5"):
            x.__dlpack__(stream=5)
        with pytest.raises(AssertionError, match="stream should be None on cpu"):
            torch.ones(2).__dlpack__(stream=0)
