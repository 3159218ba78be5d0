"""torch.func, modes, FakeTensor, subclasses and torch.compile see the device."""

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

X = torch.tensor([[0.5, -1.0], [2.0, 0.25]])


def test_vmap(agree):
    agree(torch.vmap(lambda a, b: (a @ b).sin() + a.sum()), X, X)
    agree(torch.vmap(lambda a: a[torch.tensor([1, 0], device=a.device)]), X)
    agree(torch.vmap(lambda a: a.sort()[0], in_dims=1), X)


def test_vmap_randomness(device):
    torch.manual_seed(0)
    x = X.to(device)
    got = torch.vmap(lambda a: torch.rand_like(a), randomness="different")(x)
    assert got.device.type == device
    assert got.unique().numel() == 4


def test_grad_and_vjp(agree):
    agree(torch.func.grad(lambda a: (a.sin() * a).sum()), X)
    agree(torch.vmap(torch.func.grad(lambda a: a.pow(3).sum())), X)
    agree(lambda a: torch.func.vjp(torch.sin, a)[1](a)[0], X)


def test_jvp_and_hessian(agree):
    agree(lambda a: torch.func.jvp(lambda t: t.sin() @ t, (a,), (a,)), X)
    agree(torch.func.jacrev(lambda a: a.exp() @ a), X)
    agree(torch.func.jacfwd(lambda a: a.exp() @ a), X)
    agree(torch.func.hessian(lambda a: a.pow(3).sum()), X)


def test_functionalize(agree):
    def function(a):
        b = a.clone()
        b[0].add_(1)
        b.t().mul_(2)
        return b

    agree(torch.func.functionalize(function), X)


def test_dispatch_mode_sees_device_operators(device):
    names = []

    class Record(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            names.append(str(func))
            return func(*args, **(kwargs or {}))

    x = X.to(device)
    with Record():
        y = (x.t() + 1).relu()
    assert names == ["aten.t.default", "aten.add.Tensor", "aten.relu.default"]
    assert y.device.type == device


def test_function_mode(device):
    class Double(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            return result * 2 if func is torch.add else result

    x = X.to(device)
    with Double():
        y = torch.add(x, 0)
    assert torch.equal(y.cpu(), X * 2)


class Wrapper(torch.Tensor):
    """A wrapper subclass over a device tensor."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, dtype=inner.dtype, device=inner.device
        )

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        unwrap = lambda v: v.inner if isinstance(v, Wrapper) else v  # noqa: E731
        result = func(*torch.utils._pytree.tree_map(unwrap, args), **(kwargs or {}))
        return cls(result) if isinstance(result, torch.Tensor) else result


def test_wrapper_subclass(device):
    x = Wrapper(X.to(device))
    y = (x + x).exp()
    assert isinstance(y, Wrapper)
    assert y.inner.device.type == device
    assert torch.equal(y.inner.cpu(), (X + X).exp())


def test_plain_subclass(device):
    class Named(torch.Tensor):
        pass

    x = X.to(device).as_subclass(Named)
    y = x + 1
    assert type(y) is Named
    assert y.device.type == device


def test_fake_tensor(device):
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode() as mode:
        x = torch.empty(3, 4, device=device)
        y = torch.nn.functional.conv1d(x[None], torch.empty(2, 3, 2, device=device))
        z = (x.t() @ x).relu().sum(0)
        fake = mode.from_tensor(torch.ones(2, device=device))
        assert (fake + 1).device.type == device
    assert y.device.type == device
    assert y.shape == (1, 2, 3)
    assert z.device.type == device
    assert z.shape == (4,)


def test_meta(device):
    x = X.to(device).to("meta")
    assert (x + 1).is_meta
    assert torch.empty_like(x, device=device).device.type == device
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        x.to(device)


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compile(device, backend):
    def function(x, w):
        return torch.nn.functional.relu(x @ w).sum(0)

    x = X.to(device)
    w = X.clone().to(device).requires_grad_()
    expected_w = X.clone().requires_grad_()
    got = torch.compile(function, backend=backend)(x, w)
    expected = function(X, expected_w)
    assert got.device.type == device
    assert torch.equal(got.cpu(), expected)
    got.sum().backward()
    expected.sum().backward()
    assert torch.equal(w.grad.cpu(), expected_w.grad)


def test_make_fx(device):
    from torch.fx.experimental.proxy_tensor import make_fx

    graph = make_fx(lambda x: (x + 1).sin())(X.to(device))
    assert torch.equal(graph(X.to(device)).cpu(), (X + 1).sin())


def test_jit_trace(device):
    traced = torch.jit.trace(lambda x: x.relu() + 1, (X.to(device),))
    assert torch.equal(traced(X.to(device)).cpu(), X.relu() + 1)


def test_custom_operator(device):
    library = torch.library.Library("infini_test", "FRAGMENT")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")
    assert torch.equal(torch.ops.infini_test.twice(X.to(device)).cpu(), X * 2)


def test_custom_operator_with_a_cpu_kernel_only():
    """Other libraries' CPU kernels are not assumed to be able to run on the device."""
    import torch_infini  # noqa: F401

    library = torch.library.Library("infini_test_cpu", "FRAGMENT")
    library.define("thrice(Tensor x) -> Tensor")
    library.impl("thrice", lambda x: x * 3, "CPU")
    got = torch.ops.infini_test_cpu.thrice(X.to("infini"))
    assert got.device.type == "infini"
    assert torch.equal(got.cpu(), X * 3)


def test_opcheck():
    import torch_infini  # noqa: F401

    @torch.library.custom_op("infini_test::shift", mutates_args=())
    def shift(x: torch.Tensor, by: float) -> torch.Tensor:
        return x + by

    @shift.register_fake
    def _(x, by):
        return torch.empty_like(x)

    torch.library.opcheck(shift, (X.to("infini"), 1.5))
