"""repr, str, item, tolist, bool, format and iteration."""

import pytest
import torch


@pytest.mark.parametrize(
    "values",
    [
        torch.arange(6.0).reshape(2, 3),
        torch.tensor(3),
        torch.tensor([]),
        torch.tensor([True, False]),
        torch.tensor([1e-8, 1e8, float("nan"), float("inf")]),
        torch.tensor([1 + 2j]),
        torch.arange(5000),
        torch.ones(2, dtype=torch.bfloat16),
        torch.zeros(0, 3),
    ],
    ids=str,
)
def test_repr(device, values):
    text = repr(values.to(device))
    if device != "cpu":
        assert f"device='{device}:0'" in text
        text = text.replace(f", device='{device}:0'", "")
    assert "".join(text.split()) == "".join(repr(values).split())


def test_repr_with_autograd(device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert "requires_grad=True" in repr(x)
    assert "grad_fn=<MulBackward0>" in repr(x * 2)
    assert "Parameter containing" in repr(torch.nn.Parameter(x.detach()))


def test_numbers(device):
    x = torch.tensor([1, 2], device=device)
    assert x[1].item() == 2
    assert int(x[0]) == 1
    assert float(x[1]) == 2.0
    assert complex(x[1]) == 2
    assert bool(x[0])
    assert f"{x[1]:03d}" == "002"
    assert x.tolist() == [1, 2]
    assert [v.item() for v in x] == [1, 2]
    assert len(x) == 2
    assert 2 in x
    assert hash(x) == hash(x)


@pytest.mark.parametrize(
    "dtype",
    [
        torch.bool,
        torch.uint8,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float64,
        torch.complex128,
    ],
)
def test_item_of_every_kind(device, dtype):
    x = torch.tensor([0, 1], device=device).to(dtype)
    assert x[1].item() == 1
    assert type(x[1].item()) is type(x.cpu()[1].item())


def test_ambiguous(device):
    x = torch.ones(2, device=device)
    with pytest.raises(RuntimeError, match="ambiguous"):
        bool(x)
    with pytest.raises(
        RuntimeError, match="a Tensor with 2 elements cannot be converted"
    ):
        x.item()


def test_comparison_helpers(device):
    x = torch.ones(3, device=device)
    assert torch.equal(x, x.clone())
    assert not torch.equal(x, x + 1)
    assert torch.allclose(x, x + 1e-9)
    torch.testing.assert_close(x, x.clone())
    with pytest.raises(AssertionError, match="not close"):
        torch.testing.assert_close(x, x + 1)
