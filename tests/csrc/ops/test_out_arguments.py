"""out=: written in place, resized with a warning, refused on the wrong device."""

import warnings

import pytest
import torch

X = torch.arange(6.0).reshape(2, 3)


def test_out_is_written_and_returned(device):
    x = X.to(device)
    out = torch.zeros(2, 3, device=device)
    view = out[1]
    assert torch.add(x, 1, out=out) is out
    assert torch.equal(out.cpu(), X + 1)
    assert torch.equal(view.cpu(), X[1] + 1)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, out: torch.add(x, x, alpha=2, out=out),
        lambda x, out: torch.mul(x, x, out=out),
        lambda x, out: torch.sum(x, 0, out=out),
        lambda x, out: torch.mm(x, x.t(), out=out),
        lambda x, out: torch.cat([x, x], out=out),
        lambda x, out: torch.index_select(
            x, 0, torch.zeros(3, dtype=torch.int64, device=x.device), out=out
        ),
        lambda x, out: torch.cumsum(x, 1, out=out),
        lambda x, out: torch.abs(x, out=out),
        lambda x, out: torch.stack([x, x], out=out),
        lambda x, out: torch.nonzero(x, out=out.long()),
        lambda x, out: torch.arange(5, out=out),
        lambda x, out: torch.eye(3, out=out),
    ],
)
def test_empty_out_is_resized(device, same, function):
    got_out, expected_out = torch.empty(0, device=device), torch.empty(0)
    got, expected = function(X.to(device), got_out), function(X, expected_out)
    same(got, expected)
    same(got_out, expected_out)


def test_wrong_shape_warns(device):
    out = torch.zeros(4, device=device)
    with pytest.warns(
        UserWarning, match="An output with one or more elements was resized"
    ):
        torch.add(X.to(device), 1, out=out)
    assert torch.equal(out.cpu(), X + 1)


def test_resized_out_with_a_view(device, same):
    """The storage grows in place: views of the old tensor see the new bytes."""

    def function(where):
        out = torch.zeros(4, device=where)
        view = out[:2]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.add(X.to(where), 1, out=out)
        view.mul_(10)
        return out, view

    for got, expected in zip(function(device), function("cpu"), strict=True):
        same(got, expected)


def test_view_as_out(device, same):
    def function(where):
        base = torch.zeros(4, 6, device=where)
        torch.mul(X.to(where), 2, out=base[::2, ::2])
        return base

    same(function(device), function("cpu"))


def test_several_outs(device, same):
    def function(where):
        values, places = (
            torch.empty(0, device=where),
            torch.empty(0, dtype=torch.int64, device=where),
        )
        result = torch.max(X.to(where), 1, out=(values, places))
        assert result[0] is values
        assert result[1] is places
        return values, places

    for got, expected in zip(function(device), function("cpu"), strict=True):
        same(got, expected)


def test_list_of_outs(device, same):
    def function(where):
        outs = [torch.empty(1, 3, device=where) for _ in range(2)]
        torch.ops.aten.split_copy.Tensor_out(X.to(where), 1, 0, out=outs)
        torch._foreach_add_(outs, 1)
        return outs

    for got, expected in zip(function(device), function("cpu"), strict=True):
        same(got, expected)


def test_wrong_dtype_out(device):
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.add(
            X.to(device), 0.5, out=torch.empty(2, 3, dtype=torch.int64, device=device)
        )


def test_out_that_requires_grad(device):
    out = torch.empty(2, 3, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.add(X.to(device), 1, out=out)


@pytest.mark.parametrize(
    "name", ["add", "mul", "mm", "sum", "cat", "abs", "linspace", "sort"]
)
def test_out_on_the_wrong_device(device, name):
    import torch_infini  # noqa: F401

    other = "cpu" if device == "infini" else "infini"
    x, out = torch.ones(3, 3, device=device), torch.full((1,), 7.0, device=other)
    calls = {
        "add": lambda: torch.add(x, x, out=out),
        "mul": lambda: torch.mul(x, x, out=out),
        "mm": lambda: torch.mm(x, x, out=out),
        "sum": lambda: torch.sum(x, 0, out=out),
        "cat": lambda: torch.cat([x, x], out=out),
        "abs": lambda: torch.abs(x, out=out),
        "linspace": lambda: torch.linspace(0, 1, 5, device=device, out=out),
        "sort": lambda: torch.sort(
            x, out=(out, torch.empty(0, dtype=torch.int64, device=other))
        ),
    }
    with pytest.raises(RuntimeError, match="device"):
        calls[name]()
    assert out.tolist() == [7.0]


def test_out_aliasing_an_input(device, same):
    def function(where):
        x = X.clone().to(where)
        torch.add(x, x, out=x)
        torch.mul(x, 2, out=x)
        return x

    same(function(device), function("cpu"))


def test_out_is_resized_before_an_error(device):
    """gather resizes `out` and finds then that it shares memory with the input."""
    x = torch.arange(3.0, device=device)
    index = torch.tensor([0, 1, 2, 0, 1, 2], device=device)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.gather(x, 0, index, out=x)
    assert x.shape == (6,)
    assert torch.equal(x[:3].cpu(), torch.arange(3.0))
    assert torch.equal((x + 1)[:3].cpu(), torch.arange(1.0, 4.0))
