"""Storages copied, pickled, saved and loaded."""

import copy
import io
import pickle

import pytest
import torch
import torch_infini  # noqa: F401


@pytest.fixture
def x():
    return torch.arange(12.0, device="infini").view(3, 4)


class TestUntypedStorage:
    def test_copy_both_ways(self, x):
        host = torch.arange(12.0).neg().untyped_storage()
        device = x.untyped_storage()
        device.copy_(host)
        assert x.flatten().tolist() == [-i for i in range(12)]
        x.fill_(2)
        host.copy_(device)
        assert torch.empty(0).set_(host).tolist() == [2] * 12

    def test_copy_on_the_device(self, x):
        y = torch.zeros(12, device="infini")
        y.untyped_storage().copy_(x.untyped_storage())
        assert y.tolist() == list(range(12))

    def test_copy_of_another_size_is_an_error(self, x):
        with pytest.raises(RuntimeError, match="size does not match"):
            x.untyped_storage().copy_(torch.zeros(3).untyped_storage())

    def test_to_the_cpu_and_back(self, x):
        host = x.untyped_storage().cpu()
        assert host.device.type == "cpu"
        assert host.tolist() == x.cpu().untyped_storage().tolist()
        back = host.to(device="infini")
        assert back.device == x.device
        assert torch.empty(0, device="infini").set_(back).tolist() == list(range(12))

    def test_clone_does_not_alias(self, x):
        clone = x.untyped_storage().clone()
        x.zero_()
        assert torch.empty(0, device="infini").set_(clone)[3].item() == 3

    def test_bytes(self, x):
        storage = x.untyped_storage()
        assert len(storage) == storage.nbytes() == 48
        assert storage.tolist() == torch.arange(12.0).untyped_storage().tolist()
        assert storage[:4].tolist() == [0, 0, 0, 0]

    @pytest.mark.parametrize("nbytes", [0, 16, 48, 4096])
    def test_resize_keeps_what_fits(self, x, nbytes):
        storage = x.untyped_storage()
        storage.resize_(nbytes)
        assert storage.nbytes() == nbytes
        kept = min(nbytes, 48) // 4
        flat = torch.empty(0, device="infini").set_(storage)
        assert flat[:kept].tolist() == list(range(kept))

    def test_resize_of_what_does_not_own_its_memory_is_an_error(self, x):
        shared = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x.cpu()))
        with pytest.raises(RuntimeError, match="not resizable"):
            shared.untyped_storage().resize_(100)


class TestSerialization:
    def round_trip(self, value, **arguments):
        buffer = io.BytesIO()
        torch.save(value, buffer)
        buffer.seek(0)
        return torch.load(buffer, **arguments)

    @pytest.mark.parametrize("weights_only", [True, False])
    def test_save_and_load(self, x, weights_only):
        y = self.round_trip(x, weights_only=weights_only)
        assert y.device == x.device
        assert torch.equal(y, x)

    def test_map_location(self, x):
        assert self.round_trip(x, map_location="cpu").device.type == "cpu"
        y = self.round_trip(x.cpu(), map_location="infini")
        assert y.device == x.device
        assert torch.equal(y, x)
        z = self.round_trip(x, map_location=lambda storage, location: storage)
        assert z.device.type == "cpu"
        with pytest.raises(RuntimeError, match="infini"):
            self.round_trip(x, map_location="infini:99")

    def test_views_stay_views_of_one_storage(self, x):
        first, second = self.round_trip((x, x[1]))
        second.zero_()
        assert first[1].tolist() == [0, 0, 0, 0]
        assert first[0].tolist() == [0, 1, 2, 3]

    def test_strides_and_dtypes(self, x):
        for value in (x.t(), x[:, ::2], x.half(), x > 3, x.to(torch.complex64).conj()):
            y = self.round_trip(value)
            assert y.stride() == value.stride()
            assert y.dtype == value.dtype
            assert y.is_conj() == value.is_conj()
            assert torch.equal(y.cpu(), value.cpu())

    def test_pickle(self, x):
        y = pickle.loads(pickle.dumps(x))
        assert y.device == x.device
        assert torch.equal(y, x)
        p = pickle.loads(pickle.dumps(torch.nn.Parameter(x)))
        assert isinstance(p, torch.nn.Parameter)
        assert p.device == x.device

    def test_state_dict(self):
        model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
        model.to("infini")
        state = self.round_trip(model.state_dict())
        other = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
        other.to("infini").load_state_dict(state)
        for (name, one), two in zip(
            model.state_dict().items(), other.state_dict().values(), strict=True
        ):
            assert two.device.type == "infini", name
            assert torch.equal(one, two), name

    def test_file(self, x, tmp_path):
        torch.save({"x": x}, tmp_path / "x.pt")
        assert torch.equal(torch.load(tmp_path / "x.pt")["x"], x)
        mapped = torch.load(tmp_path / "x.pt", map_location="cpu", mmap=True)["x"]
        assert torch.equal(mapped.to("infini"), x)


class TestDeepcopy:
    def test_tensor(self, x):
        y = copy.deepcopy(x)
        x.zero_()
        assert y.device == x.device
        assert y[2].tolist() == [8, 9, 10, 11]

    def test_layout_and_views(self, x):
        view, whole = copy.deepcopy((x.t(), x))
        assert view.stride() == (1, 4)
        whole.zero_()
        assert view.sum().item() == 0

    def test_gradient(self, x):
        p = x.requires_grad_()
        (p * 2).sum().backward()
        q = copy.deepcopy(p)
        assert q.grad.tolist() == p.grad.tolist()
        assert q.grad.data_ptr() != p.grad.data_ptr()

    def test_bits(self):
        z = torch.tensor([1 + 2j], device="infini")
        y = copy.deepcopy(z.conj())
        assert y.tolist() == [1 - 2j]
        n = copy.deepcopy(torch._neg_view(torch.ones(2, device="infini")))
        assert n.tolist() == [-1, -1]
