"""safetensors: files written from the device, and loaded to it."""

import pytest
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model
from torch import nn


@pytest.fixture
def tensors(device):
    return {
        "float": torch.arange(6.0, device=device).reshape(2, 3),
        "bfloat16": torch.ones(3, device=device, dtype=torch.bfloat16),
        "int": torch.arange(4, device=device),
        "bool": torch.tensor([True, False], device=device),
        "float8": torch.ones(4, device=device).to(torch.float8_e4m3fn),
        "empty": torch.empty(0, 2, device=device),
        "scalar": torch.tensor(3.0, device=device),
    }


def check_same(got, expected, device_type):
    assert got.keys() == expected.keys()
    for name, tensor in expected.items():
        assert got[name].device.type == device_type
        assert got[name].dtype == tensor.dtype
        assert got[name].shape == tensor.shape
        assert torch.equal(
            got[name].cpu().view(torch.uint8) if tensor.dim() else got[name].cpu(),
            tensor.cpu().view(torch.uint8) if tensor.dim() else tensor.cpu(),
        )


def test_a_file_is_the_same_from_either_device(tmp_path, tensors):
    save_file(tensors, tmp_path / "a")
    save_file({k: v.cpu() for k, v in tensors.items()}, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_bytes(device, tensors):
    check_same(load(save(tensors)), tensors, "cpu")


def test_load_to_the_device(tmp_path, tensors):
    # safetensors knows infini by its index, as any accelerator of PyTorch.
    save_file(tensors, tmp_path / "x")
    check_same(load_file(tmp_path / "x", device=0), tensors, "infini")
    check_same(load_file(tmp_path / "x", device="cpu"), tensors, "cpu")


def test_slices(tmp_path, tensors):
    save_file(tensors, tmp_path / "x")
    with safe_open(tmp_path / "x", "pt", device=0) as file:
        column = file.get_slice("float")[:, 1:]
        assert column.device.type == "infini"
        assert column.tolist() == [[1, 2], [4, 5]]


def test_models(tmp_path, device):
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5, bias=False))
    model[1].weight = model[0].weight
    save_model(model.to(device), str(tmp_path / "x"))
    other = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5, bias=False))
    other[1].weight = other[0].weight
    load_model(other.to(device), str(tmp_path / "x"))
    assert torch.equal(other[0].weight.cpu(), model[0].weight.cpu())


def test_tensors_that_share_memory_are_refused(device):
    x = torch.ones(4, device=device)
    with pytest.raises(RuntimeError, match="share memory"):
        save({"a": x, "b": x[:2]})


@pytest.mark.parametrize("name", ["infini", "infini:0"])
def test_the_name_is_unknown_to_safetensors(tmp_path, name):
    save_file({"x": torch.ones(2)}, tmp_path / "x")
    with pytest.raises(SafetensorError, match=f"device {name} is invalid"):
        load_file(tmp_path / "x", device=name)
