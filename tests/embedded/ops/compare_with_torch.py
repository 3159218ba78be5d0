"""libinfiniops equals PyTorch's CPU kernels bit for bit in add, mul and cast.

NaN is compared as NaN: PyTorch itself gives different bits for a bfloat16 NaN in
the vectorised part of a tensor and in its rest.
"""

import os
import re
import signal

import pytest
import torch
from infini_ops import DTYPES, Library

BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
OPERATIONS = {"Add": torch.add, "Mul": torch.mul}


@pytest.fixture(scope="module")
def library():
    return Library()


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(20240731)


def sample(dtype, *shape):
    """Random bit patterns."""
    count = 1
    for size in shape:
        count *= size
    raw = torch.randint(0, 256, (count * dtype.itemsize,), dtype=torch.uint8)
    return raw.view(dtype).view(shape)


def assert_same_bits(actual, expected):
    assert actual.dtype == expected.dtype
    actual, expected = actual.contiguous(), expected.contiguous()
    equal = actual.view(BITS[actual.itemsize]) == expected.view(BITS[actual.itemsize])
    if actual.is_floating_point():
        equal |= actual.isnan() & expected.isnan()
    assert bool(equal.all()), (actual[~equal][:5], expected[~equal][:5])


def expected_binary(name, a, b):
    """PyTorch adds no wide unsigned integers; their bits are the signed ones'."""
    signed = {
        torch.uint16: torch.int16,
        torch.uint32: torch.int32,
        torch.uint64: torch.int64,
    }
    if a.dtype in signed:
        result = OPERATIONS[name](a.view(signed[a.dtype]), b.view(signed[a.dtype]))
        return result.contiguous().view(a.dtype)
    return OPERATIONS[name](a, b)


def layouts(dtype):
    yield sample(dtype, 1000), sample(dtype, 1000)
    yield sample(dtype, 300, 400), sample(dtype, 400)
    yield sample(dtype, 300, 400), sample(dtype, 300, 1)
    yield sample(dtype, 64, 96).t(), sample(dtype, 96, 64)
    yield sample(dtype, 64, 96).t(), sample(dtype, 64, 96).t()
    yield sample(dtype, 50, 60)[:, ::2], sample(dtype, 50, 60)[:, 1::2]
    yield sample(dtype, 5, 6, 7, 8).permute(2, 0, 3, 1), sample(dtype, 7, 5, 8, 6)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_binary(library, name, dtype):
    for a, b in layouts(dtype):
        expected = expected_binary(name, a, b)
        out = torch.empty(expected.shape, dtype=dtype)
        library.binary(name, a, b, out)
        assert_same_bits(out, expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_all_16_bit_patterns(library, name, dtype):
    a = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16).view(dtype)
    for _ in range(8):
        b = a[torch.randperm(1 << 16)]
        out = torch.empty_like(a)
        library.binary(name, a, b, out)
        assert_same_bits(out, OPERATIONS[name](a, b))


def in_range(values, dtype):
    """Floats that fit into an integer type."""
    if not values.is_floating_point() or dtype.is_floating_point:
        return values
    limit = min(2.0 ** (8 * dtype.itemsize - 1), 2.0**15) - 1
    values = values.nan_to_num(0, limit, 0 if not dtype.is_signed else -limit)
    return values.clamp(0 if not dtype.is_signed else -limit, limit)


@pytest.mark.parametrize("source", DTYPES, ids=str)
@pytest.mark.parametrize("target", DTYPES, ids=str)
def test_cast(library, source, target):
    for values in (
        sample(source, 5000),
        sample(source, 40, 50).t(),
        sample(source, 60, 70)[:, ::2],
    ):
        values = in_range(values, target)
        out = torch.empty(values.shape, dtype=target)
        library.cast(values, out)
        assert_same_bits(out, values.to(target))


def test_16_bit_floats_widen_and_narrow_as_torch_does(library):
    bits = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16)
    floats = sample(torch.float32, 1 << 20)
    for dtype in (torch.float16, torch.bfloat16):
        wide = torch.empty(1 << 16)
        library.cast(bits.view(dtype), wide)
        assert_same_bits(wide, bits.view(dtype).float())
        narrow = torch.empty(1 << 20, dtype=dtype)
        library.cast(floats, narrow)
        assert_same_bits(narrow, floats.to(dtype))


def test_errors_name_operator_and_tensors(library):
    with pytest.raises(
        ValueError, match=re.escape("Add: expected `other` to have the dtype")
    ):
        library.binary("Add", torch.ones(2), torch.ones(2).double(), torch.ones(2))


def mapped(pattern):
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    return sorted(path for path in paths if re.search(pattern, os.path.basename(path)))


def test_uses_the_openmp_that_torch_loaded(library):
    a = torch.randn(1 << 20)
    out = torch.empty_like(a)
    library.binary("Add", a, a, out)
    loaded = mapped(r"^lib(gomp|omp|iomp)")
    assert len(loaded) == 1, loaded
    assert os.path.dirname(torch.__file__) in loaded[0] or "torch.libs" in loaded[0], (
        loaded
    )


def test_gemm_in_one_process_with_torch(library):
    a, b = torch.randn(200, 300), torch.randn(300, 100)
    c = torch.full((200, 100), float("nan"))
    torch.mm(a, b)
    library.gemm(a, b, c)
    error = (c.double() - a.double() @ b.double()).abs().max().item()
    assert error < 300 * 16 * torch.finfo(torch.float32).eps


def test_a_forked_child_computes(library):
    a = torch.randn(1 << 20)
    out = torch.empty_like(a)
    library.binary("Add", a, a, out)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        library.binary("Mul", a, a, out)
        last = out.numpy()[-1] == a.numpy()[-1] * a.numpy()[-1]
        os._exit(0 if last else 1)
    assert os.waitpid(child, 0)[1] == 0
