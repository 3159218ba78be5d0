"""Elementwise operators on a few elements equal the CPU's bit for bit.

Their sizes lie on both sides of where csrc/ops/small_operators.cpp hands over to the
CPU's kernels.
"""

import itertools

import pytest
import torch

from csrc.ops.conftest import assert_same

SIZES = [(), (1,), (3,), (16,), (17,), (2, 8), (1, 1, 1), (0,), (4, 5)]
DTYPES = [torch.float32, torch.float64, torch.int64, torch.int32, torch.bfloat16]
BINARY = ["add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"]
UNARY = ["neg", "abs", "sqrt", "relu"]
NUMBERS = [2, 0, -3, 0.5, -0.0, float("inf"), float("nan"), 1e300, True]


def values(dtype: torch.dtype, size: tuple[int, ...], seed: int) -> torch.Tensor:
    """Ordinary numbers among special ones."""
    count = torch.Size(size).numel()
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        special = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            info.max,
            -info.max,
            info.tiny,
            info.smallest_normal / 2,
            float("inf"),
            float("-inf"),
            float("nan"),
        ]
    else:
        info = torch.iinfo(dtype)
        special = [0, 1, -1, info.max, info.min, 7]
    generator = torch.Generator().manual_seed(seed)
    picked = torch.randint(len(special), (count,), generator=generator)
    return torch.tensor([special[i] for i in picked.tolist()], dtype=dtype).view(size)


def outcome(call):
    try:
        return call()
    except (RuntimeError, TypeError) as error:
        return str(error).replace("infini", "cpu")


def compare(function, *tensors: torch.Tensor) -> None:
    """Calls the function with the tensors and with copies on the device."""
    on_device = [tensor.to("infini") for tensor in tensors]
    cpu = outcome(lambda: function(*tensors))
    infini = outcome(lambda: function(*on_device))
    if isinstance(cpu, str):
        assert infini == cpu
        return
    assert_same(infini, cpu, "infini")
    for left, right in zip(on_device, tensors, strict=True):
        assert_same(left, right, "infini")


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_binary(name, dtype):
    function = getattr(torch, name)
    for seed, size in enumerate(SIZES):
        x, y = values(dtype, size, seed), values(dtype, size, seed + 100)
        compare(function, x, y)
        compare(lambda x: function(x, x), x)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_numbers(name, dtype):
    function = getattr(torch, name)
    for number, size in itertools.product(NUMBERS, [(3,), (17,), ()]):
        compare(lambda x, n=number: function(x, n), values(dtype, size, 1))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unary(name, dtype):
    for seed, size in enumerate(SIZES):
        compare(getattr(torch, name), values(dtype, size, seed))


@pytest.mark.parametrize("name", ["add_", "sub_", "mul_", "div_"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_in_place(name, dtype):
    for seed, size in enumerate(SIZES):
        x, y = values(dtype, size, seed), values(dtype, size, seed + 100)
        compare(lambda x, y: getattr(x, name)(y), x, y)
        compare(lambda x: getattr(x, name)(x), x.clone())
        for number in NUMBERS:
            compare(lambda x, n=number: getattr(x, name)(n), x.clone())


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_out(name, dtype):
    function = getattr(torch, name)
    for size in SIZES:
        x, y = values(dtype, size, 1), values(dtype, size, 2)
        compare(lambda x, y, out: function(x, y, out=out), x, y, torch.zeros_like(x))
        compare(lambda x, y: function(x, y, out=x), x.clone(), y)
    x, y = values(dtype, (3,), 1), values(dtype, (3,), 2)
    wrong = torch.zeros(3, dtype=torch.complex64)
    compare(lambda x, y, out: function(x, y, out=out), x, y, wrong)
    grown = torch.zeros(0, dtype=dtype)
    compare(lambda x, y, out: function(x, y, out=out), x, y, grown)


def test_alpha():
    x, y = values(torch.float32, (5,), 1), values(torch.float32, (5,), 2)
    for alpha in (1, 1.0, True, 2, 0.5, -1):
        compare(lambda x, y, a=alpha: torch.add(x, y, alpha=a), x, y)
        compare(lambda x, y, a=alpha: torch.sub(x, y, alpha=a), x, y)
        compare(lambda x, y, a=alpha: x.sub_(y, alpha=a), x.clone(), y)


@pytest.mark.parametrize("dtype", [*DTYPES, torch.bool, torch.complex64], ids=str)
def test_fill_and_zero(dtype):
    for size, number in itertools.product(SIZES, [0, 3, 2.5, True, 1e300]):
        start = torch.ones(size, dtype=dtype)
        compare(lambda x, n=number: x.fill_(n), start.clone())
        compare(lambda x: x.zero_(), start.clone())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_where(dtype):
    for seed, size in enumerate(SIZES):
        x, y = values(dtype, size, seed), values(dtype, size, seed + 100)
        compare(torch.where, x > y, x, y)
    compare(torch.where, torch.tensor([True]), values(dtype, (3,), 1), y[:1, 0])


def test_layouts():
    base = values(torch.float32, (4, 4), 3)
    for view in (
        lambda x: x.t(),
        lambda x: x[:, 1:3],
        lambda x: x[1],
        lambda x: x[2, 3],
    ):
        compare(lambda x, v=view: v(x) * v(x), base)
        compare(lambda x, v=view: -v(x), base)
        compare(lambda x, v=view: v(x).mul_(2), base.clone())
    compare(lambda x: x[:2] + x[2:3], base)
    channels_last = base.view(1, 2, 2, 4).to(memory_format=torch.channels_last)
    compare(lambda x: x.mul(x), channels_last)


def test_overlap_is_refused_as_on_the_cpu():
    base = torch.arange(6.0)
    compare(lambda x: x[1:5].mul_(x[:4]), base.clone())
    compare(lambda x: torch.mul(x[:4], x[:4], out=x[1:5]), base.clone())
    compare(lambda x: x[0].expand(3).mul_(2), base.clone())


def test_devices_are_not_mixed():
    x = torch.ones(3, device="infini")
    for name in BINARY:
        with pytest.raises(RuntimeError, match="same device"):
            getattr(torch, name)(x, torch.ones(3))
    with pytest.raises(RuntimeError, match="same device"):
        torch.ones(3).mul_(x)


def test_they_are_counted():
    def count(name: str, provider: str) -> int:
        counts = torch.infini.provider_counts()
        return sum(n for op, who, n in counts if (op, who) == (name, provider))

    x = torch.ones(3, device="infini")
    many = torch.ones(100, device="infini")
    before = [count("aten::mul.Tensor", who) for who in ("native", "host")]
    x * x
    many * many
    after = [count("aten::mul.Tensor", who) for who in ("native", "host")]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1]


def test_gradients_and_versions():
    x = torch.tensor([1.0, -2.0], device="infini", requires_grad=True)
    y = (x * x).relu().sqrt()
    y.sum().backward()
    assert_same(x.grad, torch.tensor([1.0, -1.0]), "infini")
    z = torch.ones(2, device="infini")
    version = z._version
    z.mul_(2)
    assert z._version == version + 1
