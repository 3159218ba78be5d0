"""Backward, double backward, hooks, streams, custom functions, checkpoints."""

import threading

import pytest
import torch
from torch.utils.checkpoint import checkpoint


def test_gradients_live_on_the_device(device):
    x = torch.ones(3, device=device, requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.device == x.device
    assert x.grad.tolist() == [2, 2, 2]
    (x * x).sum().backward()
    assert x.grad.tolist() == [4, 4, 4]


def test_gradcheck(device):
    x = torch.rand(2, 3, dtype=torch.double, device=device, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: t.exp().matmul(t.t()).tanh(), (x,))
    assert torch.autograd.gradgradcheck(lambda t: t.sin() * t, (x,))


def test_forward_mode(device, agree):
    import torch.autograd.forward_ad as forward

    def function(x, t):
        with forward.dual_level():
            dual = forward.make_dual(x, t)
            return forward.unpack_dual((dual * dual).sin().sum(0) @ dual.t()).tangent

    agree(function, torch.rand(2, 3), torch.rand(2, 3))


def test_gradient_of_gradient(agree):
    def function(x):
        (gradient,) = torch.autograd.grad(x.pow(3).sum(), x, create_graph=True)
        return gradient.square()

    agree(function, torch.rand(4).requires_grad_())


def test_hooks(device):
    seen = []
    x = torch.ones(2, device=device, requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: seen.append(g.device.type) or g * 2)
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.device.type))
    y.sum().backward()
    assert x.grad.tolist() == [6, 6]
    assert seen == [device, device]


def test_module_hooks(device):
    seen = []
    layer = torch.nn.Linear(2, 2).to(device)
    layer.register_full_backward_hook(lambda m, i, o: seen.append(o[0].device.type))
    layer(torch.ones(1, 2, device=device, requires_grad=True)).sum().backward()
    assert seen == [device]


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 3 * x * x * gradient


def test_custom_function(agree):
    agree(Cube.apply, torch.rand(3).requires_grad_())


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_replays_dropout(device, reentrant):
    """The device's random state is saved and restored around the second forward."""

    def block(x):
        return torch.nn.functional.dropout(x * 2, 0.5).tanh()

    x = torch.ones(40, device=device, requires_grad=True)
    torch.manual_seed(3)
    plain = block(x)
    (expected,) = torch.autograd.grad(plain.sum(), x)
    torch.manual_seed(3)
    y = checkpoint(block, x, use_reentrant=reentrant)
    assert torch.equal(y.cpu(), plain.cpu())
    y.sum().backward()
    assert torch.equal(x.grad.cpu(), expected.cpu())


def test_backward_runs_on_the_stream_of_the_forward(device):
    if device == "cpu":
        pytest.skip("the CPU has no streams")
    stream = torch.infini.Stream()
    seen = []

    class Record(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            seen.append(torch.infini.current_stream())
            return gradient * 2

    x = torch.ones(3, device=device, requires_grad=True)
    stream.wait_stream(torch.infini.current_stream())
    with torch.infini.stream(stream):
        y = Record.apply(x).sum()
    y.backward()
    torch.infini.synchronize()
    assert seen == [stream]
    assert x.grad.tolist() == [2, 2, 2]


def test_backward_in_another_thread(device):
    x = torch.ones(3, device=device, requires_grad=True)
    y = (x * 2).sum()
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert x.grad.tolist() == [2, 2, 2]


def test_saved_tensor_modified_in_place(device):
    x = torch.ones(2, device=device, requires_grad=True)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_in_place_on_a_leaf(device):
    x = torch.ones(2, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        x.add_(1)


def test_in_place_bumps_the_version_once(device):
    x = torch.ones(2, device=device)
    before = x._version
    x.add_(1)
    torch.mul(x, 2, out=x)
    assert x._version - before == 2
    assert x.detach()._version == x._version


def test_modes(device):
    x = torch.ones(2, device=device, requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad
    with torch.inference_mode():
        y = x * 2
        z = torch.ones(2, device=device)
        z.add_(1)
        w = y[:1]
    assert y.is_inference()
    assert w.is_inference()
    assert z.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match=r"[Ii]nference tensor"):
        x * z


def test_saved_tensor_hooks(device):
    x = torch.ones(3, device=device, requires_grad=True)
    with torch.autograd.graph.save_on_cpu():
        y = x.exp()
    y.sum().backward()
    assert torch.equal(x.grad.cpu(), torch.ones(3).exp())


def test_across_devices(device):
    x = torch.ones(3, requires_grad=True)
    y = (x.to(device) * 2).cpu() * 3
    y.sum().backward()
    assert x.grad.tolist() == [6, 6, 6]


def test_retain_graph(device):
    x = torch.ones(2, device=device, requires_grad=True)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_anomaly_mode(device):
    x = torch.zeros(1, device=device, requires_grad=True)
    with (
        torch.autograd.detect_anomaly(check_nan=True),
        pytest.raises(RuntimeError, match="nan"),
    ):
        (x.sqrt() * 0).sum().backward()
