"""Views alias: a write through one is seen by its base, and the other way round."""

import pytest
import torch

REAL = torch.arange(24.0).reshape(2, 3, 4)
COMPLEX = torch.complex(REAL, -REAL)

VIEWS = {
    "alias": torch.ops.aten.alias,
    "as_strided": lambda x: x.as_strided((3, 2), (1, 4), 2),
    "chunk": lambda x: x.chunk(2, 2)[1],
    "detach": lambda x: x.detach(),
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "expand": lambda x: x[:1].expand(2, 3, 4)[1],
    "flatten": lambda x: x.flatten(1),
    "index": lambda x: x[:, None, ::2, 1],
    "mT": lambda x: x.mT,
    "movedim": lambda x: x.movedim(0, 2),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "permute": lambda x: x.permute(2, 0, 1),
    "reshape": lambda x: x.reshape(6, 4),
    "select": lambda x: x.select(1, 2),
    "slice": lambda x: x[:, 1:, ::3],
    "split": lambda x: x.split([1, 3], 2)[1],
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "t": lambda x: x[0].t(),
    "tensor_split": lambda x: x.tensor_split(2, 1)[0],
    "transpose": lambda x: x.transpose(0, 2),
    "unbind": lambda x: x.unbind(1)[2],
    "unflatten": lambda x: x.unflatten(2, (2, 2)),
    "unfold": lambda x: x.unfold(2, 2, 2),
    "unsafe_view": lambda x: torch.ops.aten.view(x, (4, 6)),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "view": lambda x: x.view(4, 6),
    "view_as": lambda x: x.view_as(torch.empty(6, 4)),
    "view_dtype": lambda x: x.view(torch.int32),
    "hsplit": lambda x: x.hsplit(3)[1],
    "adjoint": lambda x: x.adjoint(),
    "reshape_alias": lambda x: torch.ops.aten._reshape_alias(x, (6, 4), (4, 1)),
}
COMPLEX_VIEWS = {
    "view_as_real": torch.view_as_real,
    "real": torch.real,
    "imag": torch.imag,
    "conj": torch.conj,
    "conj_imag": lambda x: x.conj().imag,
    "neg_view": torch._neg_view,
    "complex_slice": lambda x: x[1:, ::2],
    "view_as_complex": lambda x: torch.view_as_complex(torch.view_as_real(x)),
}
ALL = {name: (REAL, view) for name, view in VIEWS.items()} | {
    name: (COMPLEX, view) for name, view in COMPLEX_VIEWS.items()
}


@pytest.mark.parametrize("name", ALL)
def test_view_aliases(device, same, name):
    values, view = ALL[name]
    base = values.clone().to(device)
    expected = values.clone()
    got_view, expected_view = view(base), view(expected)
    assert got_view.untyped_storage().data_ptr() == base.untyped_storage().data_ptr()
    assert got_view.storage_offset() == expected_view.storage_offset()
    same(got_view, expected_view)
    with torch.no_grad():
        got_view.mul_(3)
        expected_view.mul_(3)
        same(base, expected)
        base.add_(1)
        expected.add_(1)
        same(got_view, expected_view)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"view_dtype", "detach"}))
def test_gradient_through_a_view(agree, name):
    values, view = ALL[name]
    agree(lambda x: view(x * 2) * 3, values.clone().requires_grad_())


@pytest.mark.parametrize("name", ["slice", "transpose", "unfold", "diagonal", "select"])
def test_in_place_on_a_view_in_autograd(agree, name):
    view = VIEWS[name]

    def function(x):
        y = x * 2
        view(y).mul_(3)
        return y.exp() * 0.001

    agree(function, (REAL / 10).requires_grad_())


def test_view_of_a_view_of_a_result(agree):
    def function(x):
        y = (x + 1).permute(1, 2, 0)[1:].unfold(1, 2, 1)
        y.zero_()
        return y._base if y._base is not None else y

    agree(function, REAL)


def test_overlapping_write_is_refused(device):
    x = torch.zeros(3, device=device).expand(2, 3)
    with pytest.raises(RuntimeError, match="single memory location"):
        x.add_(1)


def test_partial_overlap_is_refused(device):
    x = torch.zeros(6, device=device)
    with pytest.raises(RuntimeError, match="single memory location"):
        torch.neg(x[:-1], out=x[1:])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.contiguous(),
        lambda x: x.to(x.dtype),
        lambda x: torch.nn.functional.dropout(x, 0.5, training=False),
        lambda x: x.real,
        lambda x: x.resolve_conj(),
        lambda x: x.expand_as(x),
        lambda x: x.relu_(),
        lambda x: torch.clamp_(x, 0),
        lambda x: x.requires_grad_(False),
    ],
)
def test_kernels_that_return_their_argument(device, function):
    x = torch.arange(6.0, device=device)
    y = function(x)
    assert y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    assert y.device == x.device
    y.add_(1)
    assert torch.equal(x.cpu(), torch.arange(1.0, 7.0))


def test_in_place_returns_the_same_object(device):
    x = torch.ones(3, device=device)
    for result in (x.add_(1), x.zero_(), x.exp_(), x.t_(), x.squeeze_(), x.resize_(2)):
        assert result is x
