"""Every optimizer of PyTorch in every implementation: as the CPU's, bit for bit.

PyTorch's own table says which arguments to try with each.
"""

import copy
import importlib
import itertools
import re

import pytest
import torch
from torch import nn
from torch.testing._internal.common_optimizers import optim_db
from torch.utils._pytree import tree_flatten

STEPS = 5
# Numbers that PyTorch keeps on the CPU, also beside parameters on CUDA.
ON_HOST = {"step", "mu_product"}
INFOS = {info.optim_cls.__name__: info for info in optim_db}
SHAPES = [(3, 4), (4,), (2, 2), (0,), ()]
MATRICES = [(3, 4), (2, 2), (4, 2)]
# What else may be among the parameters, by name.
KINDS = {
    "real": [torch.float32],
    "mixed": [torch.float32, torch.float64, torch.float32],
    "bfloat16": [torch.bfloat16],
    "complex": [torch.complex64],
}


def configurations(info, device="cpu"):
    """Keywords of every configuration, without the choice of the implementation."""
    for each in info.optim_inputs_func(device=device):
        if not each.kwargs.get("capturable"):
            yield each.desc, each.kwargs


CASES = [
    pytest.param(name, keywords, id=f"{name}-{description}")
    for name, info in INFOS.items()
    for description, keywords in configurations(info)
]


def implementations(info):
    """Keywords that choose an implementation."""
    chosen = [{}]
    if "foreach" in info.supported_impls:
        chosen += [{"foreach": True}, {"foreach": False}]
    if "fused" in info.supported_impls and "cpu" in info.supports_fused_on:
        chosen.append({"fused": True})
    if "differentiable" in info.supported_impls:
        chosen.append({"differentiable": True, "foreach": False})
    return chosen


def leaves(info, kind):
    name = info.optim_cls.__name__
    shapes = MATRICES if name == "Muon" else SHAPES
    if name == "Adafactor":  # divides by the number of elements
        shapes = [shape for shape in shapes if 0 not in shape]
    generator = torch.Generator().manual_seed(3)
    dtypes = itertools.cycle(KINDS[kind])
    return [
        torch.randn(shape, generator=generator, dtype=dtype)
        for shape, dtype in zip(shapes, dtypes, strict=False)
    ]


def run(info, keywords, values, device):
    """Parameters, states and losses after the steps, or the error."""
    parameters = [nn.Parameter(x.to(device, copy=True)) for x in values]
    keywords = copy.deepcopy(keywords)
    for name, value in keywords.items():
        if isinstance(value, torch.Tensor):
            keywords[name] = value.to(device)
    generator = torch.Generator().manual_seed(4)
    gradients = [
        [torch.randn(x.shape, generator=generator, dtype=x.dtype) for x in values]
        for _ in range(STEPS)
    ]
    try:
        optimizer = info.optim_cls(parameters, **keywords)
        for step in gradients:
            for parameter, gradient in zip(parameters, step, strict=True):
                parameter.grad = gradient.to(device, copy=True)
            optimizer.step(lambda: sum(abs(p.detach()).sum() for p in parameters))
    except (RuntimeError, ValueError, TypeError, AssertionError) as error:
        return type(error), re.sub(r"infini:0|(?<=and )infini$", "cpu", str(error))
    return parameters, optimizer


def assert_same_state(got, expected, device):
    assert list(got) == list(expected)
    for name in expected:
        found, wanted = tree_flatten(got[name])[0], tree_flatten(expected[name])[0]
        assert len(found) == len(wanted), name
        for a, b in zip(found, wanted, strict=True):
            if not isinstance(b, torch.Tensor):
                assert a == b, name
                continue
            where = a.device.type
            assert where == device or (name in ON_HOST and where == "cpu"), name
            assert a.dtype == b.dtype, name
            assert torch.equal(a.detach().cpu(), b.detach()), name


def compare(info, keywords, values, device):
    """Runs both and compares; says whether they could run."""
    got = run(info, keywords, values, device)
    control = keywords
    chosen = ("foreach", "fused", "differentiable")
    if device != "cpu" and not any(keywords.get(name) for name in chosen):
        # On a device foreach is the default.
        control = {"foreach": True, **keywords} if takes_foreach(info) else keywords
    expected = run(info, control, values, "cpu")
    if isinstance(expected[0], type):
        assert got == expected
        return False
    assert not isinstance(got[0], type), got
    for a, b in zip(got[0], expected[0], strict=True):
        assert a.device.type == device
        assert torch.equal(a.detach().cpu(), b.detach())
        state, wanted = got[1].state[a], expected[1].state[b]
        assert_same_state(state, wanted, device)
    return True


def takes_foreach(info):
    """Whether foreach is the default on accelerators."""
    name = info.optim_cls.__name__
    return "foreach" in info.supported_impls and name != "Adafactor"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "keywords"), CASES)
def test_as_on_the_cpu(device, name, keywords, kind):
    info = INFOS[name]
    values = leaves(info, kind)
    ran = [
        compare(info, {**keywords, **chosen}, values, device)
        for chosen in implementations(info)
    ]
    # Sparse gradients alone are SparseAdam's; infini has none.
    assert any(ran) or kind != "real" or name == "SparseAdam"


FUSED = [name for name, info in INFOS.items() if "fused" in info.supported_impls]


@pytest.mark.parametrize("name", FUSED)
def test_fused_runs_one_kernel(device, name):
    info = INFOS[name]
    if "cpu" not in info.supports_fused_on:
        pytest.fail(f"the CPU has no fused {name}; choose another oracle")
    parameters = [nn.Parameter(x.to(device)) for x in leaves(info, "real")]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer = info.optim_cls(parameters, fused=True)
    with torch.profiler.profile() as profile:
        optimizer.step()
    names = {event.key for event in profile.key_averages()}
    assert any(x.startswith(f"aten::_fused_{name.lower()}") for x in names), names


@pytest.mark.parametrize("name", FUSED)
def test_the_step_of_fused_stays_on_the_device(device, name):
    parameter = nn.Parameter(torch.ones(3, device=device))
    parameter.grad = torch.ones_like(parameter)
    optimizer = INFOS[name].optim_cls([parameter], fused=True)
    optimizer.step()
    state = optimizer.state[parameter]
    assert all(
        value.device.type == device
        for value in state.values()
        if isinstance(value, torch.Tensor)
    )


def test_foreach_is_the_default_on_the_device():
    def kernels(**options):
        parameters = [nn.Parameter(torch.ones(3, device="infini")) for _ in range(3)]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        optimizer = torch.optim.Adam(parameters, **options)
        with torch.profiler.profile() as profile:
            optimizer.step()
        return {event.key for event in profile.key_averages()}

    assert any(name.startswith("aten::_foreach") for name in kernels())
    assert not any(name.startswith("aten::_foreach") for name in kernels(foreach=False))


CAPTURABLE = [
    pytest.param(name, each.kwargs, id=f"{name}-{each.desc}")
    for name, info in INFOS.items()
    for each in info.optim_inputs_func(device="cuda")
    if each.kwargs.get("capturable") and "lr" not in each.desc.lower()
]


@pytest.mark.parametrize("foreach", [True, False], ids=["foreach", "loop"])
@pytest.mark.parametrize(("name", "keywords"), CAPTURABLE)
def test_capturable(monkeypatch, name, keywords, foreach):
    """As on the CPU when it is told that it may, which PyTorch does not."""
    info = INFOS[name]
    values = leaves(info, "real")
    keywords = {**keywords, "foreach": foreach}
    got, optimizer = run(info, keywords, values, "infini")
    assert not isinstance(got, type), optimizer
    error, message = run(info, keywords, values, "cpu")
    assert issubclass(error, (RuntimeError, AssertionError)), message
    where = "adam" if name == "AdamW" else name.lower()
    monkeypatch.setattr(
        importlib.import_module(f"torch.optim.{where}"),
        "_get_capturable_supported_devices",
        lambda *_, **__: ["cpu"],
    )
    parameters, control = run(info, keywords, values, "cpu")
    for a, b in zip(got, parameters, strict=True):
        assert torch.equal(a.detach().cpu(), b.detach())
        assert_same_state(optimizer.state[a], control.state[b], "infini")
        assert optimizer.state[a]["step"].device.type == "infini"


class TestGradientClipping:
    @pytest.mark.parametrize("foreach", [None, True, False])
    @pytest.mark.parametrize("norm", [1, 2, 3.0, float("inf")])
    def test_norm(self, device, norm, foreach):
        def clipped(where):
            parameters = self.parameters(where)
            if norm == float("inf"):  # which no empty tensor has
                parameters = [p for p in parameters if p.numel() > 0]
            total = nn.utils.clip_grad_norm_(parameters, 0.5, norm, foreach=foreach)
            return [total, *(p.grad for p in parameters)]

        control = clipped("cpu")
        for a, b in zip(clipped(device), control, strict=True):
            assert a.device.type == device
            assert torch.equal(a.cpu(), b)

    @pytest.mark.parametrize("foreach", [None, True, False])
    def test_value(self, device, foreach):
        def clipped(where):
            parameters = self.parameters(where)
            nn.utils.clip_grad_value_(parameters, 0.3, foreach=foreach)
            return [p.grad for p in parameters]

        for a, b in zip(clipped(device), clipped("cpu"), strict=True):
            assert torch.equal(a.cpu(), b)

    def test_a_norm_that_is_not_finite(self, device):
        parameters = self.parameters(device)
        parameters[0].grad[0] = float("nan")
        with pytest.raises(RuntimeError, match="non-finite"):
            nn.utils.clip_grad_norm_(parameters, 1.0, error_if_nonfinite=True)

    @staticmethod
    def parameters(device):
        generator = torch.Generator().manual_seed(0)
        made = []
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            for shape in SHAPES:
                value = torch.randn(shape, generator=generator, dtype=dtype)
                parameter = nn.Parameter(value.to(device))
                parameter.grad = value.mul(2).to(device)
                made.append(parameter)
        return made
