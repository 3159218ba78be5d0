"""The methods and attributes that PyTorch generates for the device's name."""

import pytest
import torch
import torch_infini  # noqa: F401


def test_tensor():
    x = torch.arange(4.0)
    y = x.infini()
    assert not x.is_infini
    assert y.is_infini
    assert y.infini() is y
    assert x.infini(0).device == torch.device("infini", 0)
    assert torch.equal(y.cpu(), x)


def test_module():
    model = torch.nn.Linear(2, 2)
    weight = model.weight.detach().clone()
    assert model.infini() is model
    assert all(p.is_infini for p in model.parameters())
    assert torch.equal(model.weight.cpu(), weight)


def test_storage():
    x = torch.arange(4.0)
    storage = x.untyped_storage().infini()
    assert storage.is_infini
    assert not x.untyped_storage().is_infini
    assert storage.cpu().tolist() == x.untyped_storage().tolist()


def test_packed_sequence():
    sequences = [torch.ones(3, 2), torch.ones(2, 2)]
    packed = torch.nn.utils.rnn.pack_sequence(sequences)
    assert not packed.is_infini
    moved = packed.infini()
    assert moved.is_infini
    assert torch.equal(moved.data.cpu(), packed.data)


NO_SUCH_DEVICE = [torch.infini.device_count(), 100, 256, 2**40, -1]


@pytest.mark.parametrize("index", NO_SUCH_DEVICE)
def test_device_that_is_not_there(index):
    x = torch.ones(2)
    for holder in (x, torch.nn.Linear(2, 2), x.untyped_storage()):
        with pytest.raises(RuntimeError, match=f"index {index} is out of range"):
            holder.infini(index)


@pytest.mark.parametrize("device", [True, 1.5, [], object()])
def test_not_a_device(device):
    for holder in (torch.ones(2), torch.nn.Linear(2, 2)):
        with pytest.raises(TypeError, match="Expected an infini device"):
            holder.infini(device)


def test_tensor_subclasses_see_the_call():
    seen = []

    class Subclass(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(getattr(func, "__name__", ""))
            return super().__torch_function__(func, types, args, kwargs or {})

    moved = torch.ones(2).as_subclass(Subclass).infini()
    assert type(moved) is Subclass
    assert "infini" in seen


def test_load_and_map_location(tmp_path):
    x = torch.arange(6.0).reshape(2, 3).infini()
    torch.save({"x": x, "t": x.t()}, tmp_path / "x.pt")
    same = torch.load(tmp_path / "x.pt")
    assert same["x"].is_infini
    assert same["x"].data_ptr() == same["t"].data_ptr()
    assert torch.equal(same["x"].cpu(), x.cpu())
    assert not torch.load(tmp_path / "x.pt", map_location="cpu")["x"].is_infini
    torch.save(x.cpu(), tmp_path / "y.pt")
    assert torch.load(tmp_path / "y.pt", map_location="infini:0").is_infini


@pytest.mark.parametrize("index", [torch.infini.device_count(), 100, 256])
def test_load_to_a_device_that_is_not_there(tmp_path, index):
    torch.save(torch.ones(2), tmp_path / "x.pt")
    with pytest.raises(
        RuntimeError, match=f"deserialize object on INFINI device {index} "
    ):
        torch.load(tmp_path / "x.pt", map_location=f"infini:{index}")
