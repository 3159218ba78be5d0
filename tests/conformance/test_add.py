"""Contract of torch.add on the device; the CPU is the numerical oracle.

Infini has to equal the CPU bit for bit, CUDA within assert_close's tolerance.
"""

import pytest
import torch

DTYPES = [
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]


def numbers(shape, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        wide = torch.randn(shape, generator=generator, dtype=torch.float64)
        return (wide * 3).to(dtype)
    return torch.randint(0, 120, shape, generator=generator).to(dtype)


def there(backend, value):
    """The value on the device, with the same strides."""
    return torch.empty_strided(
        value.shape, value.stride(), dtype=value.dtype, device=backend.name
    ).copy_(value)


def agree(backend, result, oracle):
    assert result.device == backend.device(0)
    assert result.dtype == oracle.dtype
    assert result.shape == oracle.shape
    back = result.cpu()
    if backend.is_infini:
        assert torch.equal(back, oracle)
    else:
        torch.testing.assert_close(back, oracle)


def test_the_first_snippet_of_the_readme(backend):
    source = torch.arange(16, dtype=torch.float32).reshape(4, 4)
    x = torch.empty(source.shape, dtype=source.dtype, device=f"{backend.name}:0")
    x.copy_(source)
    y = torch.add(x, x)
    out = torch.empty_like(source)
    out.copy_(y)
    torch.testing.assert_close(out, source + source)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (33,), (4, 5), (257, 129)], ids=str)
def test_add_of_equal_shapes(backend, dtype, shape):
    first, second = numbers(shape, dtype, 1), numbers(shape, dtype, 2)
    result = torch.add(there(backend, first), there(backend, second))
    agree(backend, result, torch.add(first, second))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.int64], ids=str)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((4, 5), (5,)),
        ((4, 5), (4, 1)),
        ((4, 1), (1, 5)),
        ((2, 3, 4), ()),
        ((), (3,)),
        ((1, 1), (4, 5)),
        ((0, 3), (1, 3)),
        ((3, 1, 5), (2, 1)),
    ],
    ids=str,
)
def test_add_broadcasts(backend, dtype, left, right):
    first, second = numbers(left, dtype, 1), numbers(right, dtype, 2)
    result = torch.add(there(backend, first), there(backend, second))
    agree(backend, result, torch.add(first, second))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.int32], ids=str)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((1, 64), (96, 1)),
        ((96, 1), (1, 64)),
        ((1, 64), (1, 64)),
        ((0, 1), (96, 1)),
        ((0, 0), (1, 64)),
        ((200, 3), (96, 1)),
    ],
    ids=str,
)
def test_add_of_strided_operands(backend, dtype, left, right):
    """Both operands are (64, 96) with the given strides."""
    operands = []
    for seed, stride in enumerate((left, right)):
        host = torch.empty_strided((64, 96), stride, dtype=dtype)
        flat = numbers(
            (host.untyped_storage().nbytes() // dtype.itemsize,), dtype, seed
        )
        device = torch.empty(flat.shape, dtype=dtype, device=backend.name).copy_(flat)
        operands.append(
            (flat.as_strided((64, 96), stride), device.as_strided((64, 96), stride))
        )
    (first, first_there), (second, second_there) = operands
    agree(backend, torch.add(first_there, second_there), torch.add(first, second))


@pytest.mark.parametrize("cut", ["rows", "columns", "every other", "transposed"])
def test_add_of_views(backend, cut):
    views = {
        "rows": lambda t: t[3:17],
        "columns": lambda t: t[:, 5:],
        "every other": lambda t: t[::2, ::3],
        "transposed": lambda t: t.t(),
    }
    host = numbers((40, 60), torch.float32)
    device = there(backend, host)
    view = views[cut]
    agree(backend, torch.add(view(device), view(device)), view(host) + view(host))


def test_add_keeps_a_dense_layout(backend):
    host = numbers((2, 3, 4, 5), torch.float32).to(memory_format=torch.channels_last)
    result = torch.add(there(backend, host), there(backend, host))
    assert result.stride() == (host + host).stride()
    agree(backend, result, host + host)


def test_add_runs_on_the_current_stream(backend):
    stream = backend.api.Stream()
    with backend.api.stream(stream):
        first = backend.tensor(range(1 << 16))
        result = torch.add(first, first)
        event = stream.record_event()
    event.synchronize()
    agree(backend, result, torch.arange(1 << 16, dtype=torch.float32) * 2)
    assert stream.query() is True


def test_add_leaves_its_operands_alone(backend):
    host = numbers((128,), torch.float32)
    first, second = there(backend, host), there(backend, host)
    torch.add(first, second)
    assert torch.equal(first.cpu(), host)
    assert torch.equal(second.cpu(), host)


def test_add_of_mixed_devices_is_refused(backend):
    first, second = torch.ones(3), backend.tensor([1.0, 1.0, 1.0])
    for pair in ((first, second), (second, first)):
        with pytest.raises(RuntimeError, match=r"same device") as caught:
            torch.add(*pair)
        assert f"{backend.name}:0" in str(caught.value)
        assert "cpu" in str(caught.value)


def test_add_of_shapes_that_do_not_fit_is_refused_as_on_the_cpu(backend):
    with pytest.raises(RuntimeError) as oracle:
        torch.add(torch.ones(3), torch.ones(4))
    with pytest.raises(RuntimeError) as caught:
        torch.add(backend.tensor([1.0] * 3), backend.tensor([1.0] * 4))
    assert str(caught.value) == str(oracle.value)


@pytest.mark.parametrize("alpha", [1, 2, -1, 0.5])
def test_add_with_alpha_gives_the_cpu_result(backend, alpha):
    first, second = numbers((33,), torch.float32, 1), numbers((33,), torch.float32, 2)
    result = torch.add(there(backend, first), there(backend, second), alpha=alpha)
    agree(backend, result, torch.add(first, second, alpha=alpha))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (torch.int32, torch.float32),
        (torch.float16, torch.float32),
        (torch.uint8, torch.int64),
        (torch.bfloat16, torch.float16),
    ],
    ids=str,
)
def test_add_of_two_dtypes_gives_the_promoted_cpu_result(backend, left, right):
    first, second = numbers((33,), left, 1), numbers((33,), right, 2)
    result = torch.add(there(backend, first), there(backend, second))
    agree(backend, result, torch.add(first, second))
