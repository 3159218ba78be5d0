"""What can be saved and loaded: dtypes, views, subclasses, optimizers, and where to."""

import copy
import io
import pickle
import warnings

import pytest
import torch
from dtypes import ALL
from torch import nn
from torch._subclasses import FakeTensorMode
from torch.package import PackageExporter, PackageImporter

from csrc.fake_runtime import fake_environment

DTYPES = [*ALL, torch.float4_e2m1fn_x2]
# PyTorch's pickle.dumps knows the types of the legacy storages only.
LEGACY = {
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
}


def saved(value, **options):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def raw(tensor):
    return bytes(tensor.cpu().contiguous().view(torch.uint8).tolist())


class Named(torch.Tensor):
    """A subclass without behaviour of its own."""


@pytest.fixture
def tensor(device):
    return torch.arange(6.0, device=device).reshape(2, 3)


class TestDtypes:
    @pytest.mark.parametrize("weights_only", [True, False])
    @pytest.mark.parametrize("dtype", DTYPES, ids=str)
    def test_every_bit(self, device, dtype, weights_only):
        x = torch.arange(1, 33, dtype=torch.uint8, device=device)
        x = (x % 2 if dtype is torch.bool else x).view(dtype)
        for loaded in (saved(x, weights_only=weights_only), copy.deepcopy(x)):
            assert loaded.dtype == dtype
            assert loaded.device == x.device
            assert loaded.data_ptr() != x.data_ptr()
            assert raw(loaded) == raw(x)

    @pytest.mark.parametrize("dtype", sorted(LEGACY, key=str), ids=str)
    def test_pickle(self, device, dtype):
        x = torch.arange(32, dtype=torch.uint8, device=device).remainder(2).view(dtype)
        loaded = pickle.loads(pickle.dumps(x))
        assert (loaded.dtype, loaded.device) == (dtype, x.device)
        assert raw(loaded) == raw(x)

    def test_lazy_bits(self, device):
        z = torch.tensor([1 + 2j, 3 - 1j], device=device)
        for lazy in (z.conj(), torch._neg_view(z), z.conj().imag, z.conj().conj()):
            assert copy.deepcopy(lazy).tolist() == lazy.tolist()
            loaded = saved(lazy)
            assert (loaded.is_conj(), loaded.is_neg()) == (
                lazy.is_conj(),
                lazy.is_neg(),
            )
            assert loaded.tolist() == lazy.tolist()

    @pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1,), (2, 1, 3)])
    def test_shapes(self, device, shape):
        x = torch.full(shape, 3.0, device=device)
        loaded = saved(x)
        assert loaded.shape == x.shape
        assert loaded.device == x.device
        assert torch.equal(loaded.cpu(), x.cpu())


class TestSharing:
    def test_views_of_one_storage(self, tensor):
        views = {"t": tensor.t(), "row": tensor[1], "last": tensor[:, 2:], "x": tensor}
        loaded = saved(views)
        addresses = {v.untyped_storage().data_ptr() for v in loaded.values()}
        assert len(addresses) == 1
        for name, view in views.items():
            assert loaded[name].stride() == view.stride()
            assert loaded[name].storage_offset() == view.storage_offset()
        loaded["row"].fill_(7)
        assert loaded["t"].tolist() == [[0, 7], [1, 7], [2, 7]]
        assert tensor[1].tolist() == [3, 4, 5]

    def test_deepcopy_of_views(self, tensor):
        row, transposed = copy.deepcopy((tensor[1], tensor.t()))
        row.fill_(7)
        assert transposed[:, 1].tolist() == [7, 7, 7]

    @pytest.mark.parametrize("save", [saved, copy.deepcopy])
    def test_tied_weights(self, device, save):
        model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5, bias=False))
        model[1].weight = model[0].weight
        state = save(model.to(device).state_dict())
        assert state["0.weight"].data_ptr() == state["1.weight"].data_ptr()
        twin = copy.deepcopy(model)
        assert twin[0].weight is twin[1].weight

    def test_two_dtypes_on_one_storage_are_refused(self, tensor):
        with pytest.raises(RuntimeError, match="view the same data as different types"):
            saved([tensor, tensor.view(torch.int32)])


class TestKinds:
    def test_parameters_and_buffers(self, device):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(2))
                self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)
                self.register_buffer("mean", torch.zeros(2))
                self.register_buffer("cache", torch.zeros(2), persistent=False)

        model = Model().to(device)
        state = saved(model.state_dict())
        assert list(state) == ["weight", "frozen", "mean"]
        assert {v.device.type for v in state.values()} == {device}
        parameters = saved([model.weight, model.frozen])
        assert [type(p) for p in parameters] == [nn.Parameter] * 2
        assert [p.requires_grad for p in parameters] == [True, False]

    def test_state_dict_that_is_assigned(self, device):
        model = nn.BatchNorm1d(3).to(device)
        model(torch.randn(4, 3, device=device))
        with torch.device("meta"):
            other = nn.BatchNorm1d(3)
        other.load_state_dict(saved(model.state_dict()), assign=True)
        assert other.running_mean.device.type == device
        assert torch.equal(other.running_var.cpu(), model.running_var.cpu())

    @pytest.mark.parametrize("name", ["Adam", "AdamW", "SGD", "Adagrad", "LBFGS"])
    def test_optimizers_go_on(self, device, name):
        def make():
            torch.manual_seed(0)
            model = nn.Linear(3, 2).to(device)
            options = {"momentum": 0.9} if name == "SGD" else {}
            return model, getattr(torch.optim, name)(model.parameters(), **options)

        def train(model, optimizer):
            def closure():
                optimizer.zero_grad()
                loss = model(torch.ones(4, 3, device=device)).square().sum()
                loss.backward()
                return loss

            for _ in range(2):
                optimizer.step(closure)

        model, optimizer = make()
        train(model, optimizer)
        state = saved([model.state_dict(), optimizer.state_dict()])
        other, resumed = make()
        other.load_state_dict(state[0])
        resumed.load_state_dict(state[1])
        train(model, optimizer)
        train(other, resumed)
        assert torch.equal(other.weight.cpu(), model.weight.cpu())

    def test_subclass(self, tensor):
        x = tensor.as_subclass(Named)
        x.note = "kept"
        loaded = saved(x, weights_only=False)
        assert type(loaded) is Named
        assert loaded.note == "kept"
        with torch.serialization.safe_globals([Named]):
            assert type(saved(x)) is Named

    def test_requires_grad_and_hooks(self, tensor):
        x = tensor.clone().requires_grad_()
        assert saved(x).requires_grad
        assert not saved((x * 2).detach()).requires_grad
        with pytest.raises(RuntimeError, match="Only Tensors created explicitly"):
            copy.deepcopy(x * 2)

    def test_untyped_and_typed_storages(self, tensor):
        storage = tensor.untyped_storage()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = saved(storage)
            assert loaded.device == storage.device
            assert bytes(loaded.untyped().cpu()) == bytes(storage.cpu())
            typed = saved(tensor.storage())
        assert typed.tolist() == [0, 1, 2, 3, 4, 5]
        assert bytes(copy.deepcopy(storage).cpu()) == bytes(storage.cpu())

    def test_a_whole_model(self, device):
        model = nn.LSTM(3, 4).to(device)
        loaded = saved(model, weights_only=False)
        x = torch.ones(2, 1, 3, device=device)
        assert torch.equal(loaded(x)[0].cpu(), model(x)[0].cpu())
        with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
            saved(model)

    def test_package(self, tensor):
        buffer = io.BytesIO()
        with PackageExporter(buffer) as exporter:
            exporter.save_pickle("data", "x.pkl", [tensor, tensor[1]])
        buffer.seek(0)
        x, row = PackageImporter(buffer).load_pickle("data", "x.pkl")
        assert x.device == tensor.device
        row.zero_()
        assert x.tolist() == [[0, 1, 2], [0, 0, 0]]


class TestLocations:
    @pytest.mark.parametrize("weights_only", [True, False])
    @pytest.mark.parametrize(
        "location",
        [
            "cpu",
            torch.device("cpu"),
            {"cpu": "cpu", "infini:0": "cpu"},
            lambda storage, tag: storage,
        ],
        ids=["string", "device", "dict", "callable"],
    )
    def test_to_the_cpu(self, tensor, location, weights_only):
        loaded = saved(tensor, map_location=location, weights_only=weights_only)
        assert loaded.device.type == "cpu"
        assert torch.equal(loaded, tensor.cpu())

    def test_to_the_device(self, device, tensor):
        locations = [device, torch.device(device), {"cpu": device}, {"meta": "cpu"}]
        locations.append(lambda storage, tag: storage.to(device=torch.device(device)))
        for location in locations:
            loaded = saved(tensor.cpu(), map_location=location)
            wanted = "cpu" if location == {"meta": "cpu"} else device
            assert loaded.device.type == wanted
            assert torch.equal(loaded.cpu(), tensor.cpu())

    def test_what_a_callable_sees(self, device, tensor):
        seen = []
        loaded = saved(
            tensor, map_location=lambda storage, tag: seen.append((storage, tag))
        )
        tag = "cpu" if device == "cpu" else "infini:0"
        assert [(s.device.type, t) for s, t in seen] == [("cpu", tag)]
        assert loaded.device == tensor.device

    @pytest.mark.parametrize("location", ["meta", torch.device("meta")])
    def test_to_meta(self, tensor, location):
        loaded = saved({"x": tensor}, map_location=location)["x"]
        assert loaded.is_meta
        assert loaded.shape == tensor.shape

    @pytest.mark.parametrize("location", [None, "cpu", "meta"])
    def test_mapped_files(self, tmp_path, tensor, location):
        path = tmp_path / "x.pt"
        torch.save([tensor, tensor[1]], path)
        x, row = torch.load(path, mmap=True, map_location=location)
        assert x.device == torch.device(location or tensor.device)
        if location != "meta":
            row.fill_(9)
            assert x.tolist() == [[0, 1, 2], [9, 9, 9]]
        assert torch.load(path)[0].tolist() == tensor.tolist()

    def test_skipped_data(self, tmp_path, tensor):
        path = tmp_path / "x.pt"
        with torch.serialization.skip_data():
            torch.save({"x": tensor}, path)
        loaded = torch.load(path)["x"]
        assert loaded.shape == tensor.shape
        assert loaded.device == tensor.device

    def test_fake_tensors(self, tmp_path, tensor):
        path = tmp_path / "x.pt"
        torch.save(tensor, path)
        with FakeTensorMode() as mode:
            loaded = torch.load(path)
        assert loaded.fake_mode is mode
        assert loaded.fake_device == tensor.device
        with torch.serialization.skip_data(materialize_fake_tensors=True):
            torch.save(loaded, path)
        assert torch.load(path).shape == tensor.shape

    def test_under_a_default_device(self, device, tensor):
        with torch.device(device):
            assert saved(tensor.cpu()).device.type == "cpu"
            assert saved(tensor).device == tensor.device

    def test_copies_that_are_not_awaited(self, tmp_path, device):
        host = torch.arange(1 << 16)
        x = host.to(device, non_blocking=True)
        assert torch.equal(saved(x, map_location="cpu"), host)


# A file that names infini:0, and what loading it elsewhere says.
def load_elsewhere(run_python, path, code, **environment):
    return run_python(
        f"""
import torch
{code}
try:
    torch.load({str(path)!r})
except RuntimeError as error:
    print(error)
print(torch.load({str(path)!r}, map_location="cpu"))
""",
        **environment,
    ).stdout


class TestWithoutTheDevice:
    @pytest.fixture
    def path(self, tmp_path):
        import torch_infini  # noqa: F401

        torch.save(torch.ones(2, device="infini"), tmp_path / "x.pt")
        return tmp_path / "x.pt"

    def test_without_the_package(self, run_python, path):
        out = load_elsewhere(run_python, path, "", TORCH_DEVICE_BACKEND_AUTOLOAD=0)
        assert "don't know how to restore data location" in out
        assert "(tagged with infini:0)" in out
        assert out.endswith("tensor([1., 1.])\n")

    def test_without_a_device(self, run_python, path):
        environment = fake_environment(FAKE_RT_DEVICES=0)
        out = load_elsewhere(run_python, path, "import torch_infini", **environment)
        assert "Attempting to deserialize object on a INFINI device but" in out
        assert "torch.infini.is_available() is False" in out
        assert "map_location=torch.device('cpu')" in out
        assert out.endswith("tensor([1., 1.])\n")

    def test_with_fewer_devices(self, run_python, tmp_path):
        code = """
import torch, torch_infini
torch.save(torch.ones(2, device="infini:1"), {!r})
"""
        path = tmp_path / "y.pt"
        run_python(code.format(str(path)), **fake_environment(FAKE_RT_DEVICES=2))
        environment = fake_environment(FAKE_RT_DEVICES=1)
        out = load_elsewhere(run_python, path, "import torch_infini", **environment)
        assert "Attempting to deserialize object on INFINI device 1 but" in out
        assert "torch.infini.device_count() is 1" in out
        assert out.endswith("tensor([1., 1.])\n")

    @pytest.mark.parametrize("index", [7, 256, 1000])
    def test_an_index_that_is_not_there(self, path, index):
        with pytest.raises(RuntimeError, match=f"INFINI device {index} but"):
            torch.load(path, map_location=f"infini:{index}")
