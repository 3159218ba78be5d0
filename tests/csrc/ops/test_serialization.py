"""deepcopy, pickle, torch.save and torch.load keep values, sharing and the device."""

import copy
import io
import pickle

import torch
from torch import nn


def saved(value, **options):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def test_deepcopy(device):
    x = torch.arange(6.0, device=device).reshape(2, 3)
    y = copy.deepcopy(x.t())
    assert y.device == x.device
    assert y.stride() == (1, 3)
    y.zero_()
    assert x.sum().item() == 15


def test_deepcopy_keeps_sharing(device):
    x = torch.zeros(4, device=device)
    first, second = copy.deepcopy([x, x[1:]])
    first[1] = 5
    assert second[0].item() == 5
    assert x.sum().item() == 0


def test_deepcopy_of_a_model(device):
    model = nn.Linear(2, 2).to(device)
    twin = copy.deepcopy(model)
    assert twin.weight.device == model.weight.device
    assert torch.equal(twin.weight.cpu(), model.weight.cpu())


def test_pickle(device):
    x = torch.arange(3.0, device=device)
    y = pickle.loads(pickle.dumps(x))
    assert y.device == x.device
    assert y.tolist() == x.tolist()


def test_save_and_load(device):
    x = torch.arange(6.0, device=device)
    loaded = saved({"x": x, "tail": x[2:], "n": 3})
    assert loaded["x"].device == x.device
    assert loaded["x"].tolist() == x.tolist()
    loaded["x"][2] = 9
    assert loaded["tail"][0].item() == 9


def test_map_location(device):
    x = torch.arange(3.0, device=device)
    assert saved(x, map_location="cpu").device.type == "cpu"
    assert saved(x.cpu(), map_location=device).device.type == device
    assert saved(x.cpu(), map_location=torch.device(device)).tolist() == x.tolist()
    assert saved(x.cpu(), map_location={"cpu": device}).device.type == device


def test_lazy_bits_survive(device):
    x = torch.tensor([1 + 2j], device=device).conj()
    assert pickle.loads(pickle.dumps(x)).tolist() == [1 - 2j]
    assert saved(x).tolist() == [1 - 2j]


def test_state_dict(device):
    model, other = nn.Linear(3, 2).to(device), nn.Linear(3, 2)
    other.load_state_dict(saved(model.state_dict()))
    assert torch.equal(other.weight, model.weight.cpu())
    other.to(device).load_state_dict(saved(model.cpu().state_dict()), assign=False)
    assert other.weight.device.type == device


def test_parameter_keeps_its_kind(device):
    parameter = nn.Parameter(torch.ones(2, device=device))
    loaded = saved(parameter)
    assert isinstance(loaded, nn.Parameter)
    assert loaded.requires_grad
    assert loaded.device == parameter.device


def test_legacy_format(device):
    x = torch.arange(3.0, device=device)
    buffer = io.BytesIO()
    torch.save(x, buffer, _use_new_zipfile_serialization=False)
    buffer.seek(0)
    assert torch.load(buffer).tolist() == x.tolist()
