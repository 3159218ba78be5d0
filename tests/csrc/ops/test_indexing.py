"""Indexing by tensors, lists and masks, with index tensors on either side."""

import pytest
import torch

X = torch.arange(24.0).reshape(2, 3, 4)

INDICES = {
    "tensor": lambda i: (i([1, 0, 1]),),
    "two": lambda i: (i([1, 0]), i([2, 1])),
    "gap": lambda i: (i([1, 0]), slice(None), i([2, 1])),
    "first_free": lambda i: (slice(None), i([2, 1])),
    "last": lambda i: (..., i([3, 0])),
    "broadcast": lambda i: (i([[1], [0]]), i([2, 1])),
    "with_none": lambda i: (None, i([1]), None),
    "scalar": lambda i: (i(1), slice(1, 3)),
    "empty": lambda i: (i([], torch.long),),
    "mask": lambda i: (i([True, False]),),
    "int32": lambda i: (i([1, 0], torch.int32),),
    "negative": lambda i: (i([-1, -2]),),
    "list": lambda i: ([1, 0], [0, 2]),
}


def indices(name, device):
    return INDICES[name](lambda v, d=None: torch.tensor(v, dtype=d, device=device))


@pytest.mark.parametrize("where", ["same", "cpu"])
@pytest.mark.parametrize("name", INDICES)
def test_read(device, same, name, where):
    x = X.clone().to(device).requires_grad_()
    y = X.clone().requires_grad_()
    got = x[indices(name, device if where == "same" else "cpu")]
    expected = y[indices(name, "cpu")]
    same(got, expected)
    got.square().sum().backward()
    expected.square().sum().backward()
    same(x.grad, y.grad)


@pytest.mark.parametrize("where", ["same", "cpu"])
@pytest.mark.parametrize("value", ["number", "cpu_scalar", "tensor"])
@pytest.mark.parametrize("name", INDICES)
def test_write(device, same, name, value, where):
    x, y = X.clone().to(device), X.clone()
    chosen = indices(name, "cpu")
    values = {
        "number": 5,
        "cpu_scalar": torch.tensor(5.0),
        "tensor": torch.full(y[chosen].shape, 5.0).to(device),
    }[value]
    x[indices(name, device if where == "same" else "cpu")] = values
    y[chosen] = values.cpu() if isinstance(values, torch.Tensor) else values
    same(x, y)


def test_full_mask(agree):
    agree(lambda x: x[x > 7], X)
    agree(lambda x: x.masked_fill(x > 7, -1), X)
    agree(lambda x: torch.where(x > 7, x, 0), X)
    agree(lambda x: x.masked_select(x > 7), X)
    agree(lambda x: x.nonzero(), X)
    agree(lambda x: torch.argwhere(x > 3), X)


def test_accumulate(agree):
    rows = torch.tensor([0, 1, 0])
    agree(
        lambda x, i: x.index_put_((i,), torch.ones((), device=x.device), True), X, rows
    )
    agree(lambda x, i: x.index_add(0, i, x[i]), X, rows)
    agree(lambda x, i: x.index_select(1, i), X, rows)
    agree(lambda x, i: x.index_fill(1, i, 3), X, rows)
    agree(lambda x, i: x.take(i), X, rows)
    agree(lambda x, i: x.put_(i, x.flatten()[3:6].clone()), X, rows)


def test_gather_and_scatter(agree):
    i = torch.tensor([[[0, 2, 1, 1]]])
    agree(lambda x, i: x.gather(1, i), X.clone().requires_grad_(), i)
    agree(lambda x, i: x.scatter(1, i, 9.0), X.clone().requires_grad_(), i)
    agree(lambda x, i: x.scatter_add(1, i, x[:1, :1]), X.clone().requires_grad_(), i)
    agree(lambda x, i: x.scatter_reduce(1, i, x, "amax"), X, i)


@pytest.mark.parametrize("where", ["same", "cpu"])
@pytest.mark.parametrize("dimension", [0, 2])
def test_tensor_split(device, same, dimension, where):
    """By a tensor of indices, which CUDA wants on the CPU and the CPU has anyway."""
    x = X.to(device)
    for split in (torch.tensor([1, 2]), torch.tensor(2)):
        there = split.to(device) if where == "same" else split
        got = torch.tensor_split(x, there, dimension)
        expected = torch.tensor_split(X, split, dimension)
        for a, b in zip(got, expected, strict=True):
            same(a, b)
            if a.numel():
                assert a.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()


@pytest.mark.parametrize("bad", [3, -3])
def test_index_out_of_range(device, bad):
    with pytest.raises(IndexError, match="out of"):
        torch.zeros(2, device=device)[torch.tensor([bad], device=device)]


def test_device_index_into_cpu_tensor_is_refused():
    """As CUDA: the index may follow the tensor to the device, not the other way."""
    import torch_infini  # noqa: F401

    with pytest.raises((RuntimeError, IndexError), match=r"cpu|device"):
        torch.zeros(3)[torch.tensor([1], device="infini")]


def test_device_scalar_as_an_index(device):
    position = torch.tensor(1, device=device)
    assert X.to(device)[position].tolist() == X[1].tolist()
    assert [10, 20, 30][position] == 20
    assert list(range(position)) == [0]


def test_sorting(agree):
    values = torch.tensor([[3.0, 1, 2], [1, 1, 0]])
    for function in (
        lambda x: x.sort(dim=1, stable=True),
        lambda x: x.topk(2),
        lambda x: x.unique(return_inverse=True, return_counts=True),
        lambda x: x.argmax(1),
        lambda x: x.median(1),
        lambda x: x.mode(1),
        lambda x: x.kthvalue(2),
        lambda x: torch.searchsorted(x.sort(1)[0], x),
        lambda x: torch.isin(x, x[0]),
        lambda x: torch.bincount(x.long().flatten()),
        lambda x: torch.bucketize(x, x[1].sort()[0]),
    ):
        agree(function, values)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.int32])
def test_histc(device, dtype):
    """Mixture-of-experts models count tokens with histc of integers off the CPU."""
    x = torch.tensor([0, 1, 1, 3, 3, 3], dtype=dtype, device=device)
    if device == "cpu" and dtype != torch.float32:
        with pytest.raises(RuntimeError, match="not implemented"):
            torch.histc(x, 4, 0, 3)
        return
    got = torch.histc(x, 4, 0, 3)
    assert got.dtype == dtype
    assert got.tolist() == [1, 2, 0, 3]
