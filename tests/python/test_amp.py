"""torch.infini.amp has torch.cuda.amp's names."""

import importlib
import warnings

import pytest
import torch
import torch_infini  # noqa: F401


def test_names():
    for part in ("", ".autocast_mode", ".common", ".grad_scaler"):
        module = importlib.import_module(f"torch.infini.amp{part}")
        reference = importlib.import_module(f"torch.cuda.amp{part}")
        missing = set(reference.__all__) - set(dir(module))
        assert not missing
    assert torch.infini.amp.grad_scaler.OptState is torch.amp.grad_scaler.OptState
    assert not torch.infini.amp.amp_definitely_not_available()


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_autocast():
    x = torch.ones(2, 2, device="infini")
    with torch.infini.amp.autocast():
        assert (x @ x).dtype == torch.float16
        with torch.infini.amp.autocast(False):
            assert (x @ x).dtype == torch.float32
    with torch.infini.amp.autocast(True, torch.bfloat16, False):
        assert (x @ x).dtype == torch.bfloat16
        assert not torch.is_autocast_cache_enabled()

    @torch.infini.amp.autocast()
    def square(x):
        return x @ x

    assert square(x).dtype == torch.float16


def test_grad_scaler():
    scaler = torch.infini.amp.GradScaler(init_scale=8.0)
    assert isinstance(scaler, torch.amp.GradScaler)
    assert scaler.scale(torch.ones(1, device="infini")).item() == 8
    assert scaler.get_growth_interval() == 2000


def test_custom_functions():
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        @torch.infini.amp.custom_fwd
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x @ x

        @staticmethod
        @torch.infini.amp.custom_bwd
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            seen.append(torch.is_autocast_enabled("infini"))
            return grad @ x.t() + x.t() @ grad

    class Exact(torch.autograd.Function):
        @staticmethod
        @torch.infini.amp.custom_fwd(cast_inputs=torch.float32)
        def forward(ctx, x):
            return x @ x

        @staticmethod
        @torch.infini.amp.custom_bwd
        def backward(ctx, grad):
            return grad

    x = torch.ones(2, 2, device="infini", requires_grad=True)
    with torch.infini.amp.autocast():
        Product.apply(x).sum().backward()
        assert Exact.apply(x.half()).dtype == torch.float32
    assert seen == [True]
