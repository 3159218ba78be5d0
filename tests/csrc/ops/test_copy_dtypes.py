"""copy_ and to() convert between all dtypes, bit for bit as on the CPU."""

import re

import pytest
import torch
import torch_infini  # noqa: F401
from dtypes import ALL

DTYPES = [dtype for dtype in ALL if dtype != torch.float8_e8m0fnu]
name = {dtype: str(dtype).removeprefix("torch.") for dtype in DTYPES}


def values(dtype):
    """Ordinary values of every sign and size that all dtypes on the way can convert."""
    small = [0.0, 1.0, 2.0, 3.75, 100.0, 0.1]
    if dtype.is_floating_point or dtype.is_complex:
        small += [-0.0, -1.5, -2.0, 1e-3]
        if dtype not in (torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
            small += [float("nan")] if dtype.itemsize > 1 else []
        if dtype in (torch.float32, torch.float64, torch.bfloat16):
            small += [1.00390625, 1.01171875, 65519.0, 65520.0, 3e38, float("inf")]
    elif dtype.is_signed:
        small += [-1.0, -100.0]
    wide = torch.tensor(small, dtype=torch.float64)
    if dtype.is_complex:
        wide = torch.complex(wide, wide.flip(0))
    return wide.to(torch.float32 if dtype.itemsize == 1 else wide.dtype).to(dtype)


def raw(tensor):
    """The bytes, those of NaN apart: these depend on the layout on the CPU too."""
    tensor = tensor.contiguous()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    if tensor.is_floating_point() and tensor.itemsize > 1:
        tensor = tensor.clone()
        tensor[tensor.isnan()] = float("nan")
    return tensor.view(torch.uint8)


def defined(source, dtype):
    """The values whose conversion C++ defines."""
    if dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        return source
    real = source.real if source.is_complex() else source
    real = real.double()
    low, high = 0, 2 ** (8 * dtype.itemsize) - 1
    if dtype.is_signed:
        low, high = -(high // 2) - 1, high // 2
    keep = (real > float(low - 1)) & (real < float(high))
    return source[keep.nonzero().flatten().to(torch.int64)]


@pytest.mark.parametrize("to", DTYPES, ids=name.get)
@pytest.mark.parametrize("of", DTYPES, ids=name.get)
@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")
def test_every_pair(of, to):
    source = defined(values(of), to)
    assert len(source) > 0
    expected = torch.empty(len(source), dtype=to)
    refusal = None
    try:
        expected.copy_(source)
    except (RuntimeError, NotImplementedError) as error:
        refusal = error
    if refusal is not None:
        text = re.escape(str(refusal).splitlines()[0])
        with pytest.raises(type(refusal), match=text):
            torch.empty(len(source), dtype=to, device="infini").copy_(source)
        return
    device_source = source.to("infini")
    for made in (
        torch.empty(len(source), dtype=to, device="infini").copy_(source),
        torch.empty(len(source), dtype=to, device="infini").copy_(device_source),
        torch.empty(len(source), dtype=to).copy_(device_source),
        device_source.to(to),
        source.to("infini", to),
        device_source.to("cpu", to),
        torch.empty(2 * len(source), dtype=to, device="infini")[::2].copy_(source),
    ):
        assert made.dtype == to
        assert torch.equal(raw(made.cpu()), raw(expected))


@pytest.mark.parametrize("to", [torch.bfloat16, torch.float16], ids=name.get)
def test_rounding_of_every_float16_neighbourhood(to):
    bits = torch.arange(1 << 16, dtype=torch.int32) << 16
    source = torch.cat(
        [(bits + extra).view(torch.float32) for extra in (0, 0x7FFF, 0x8000, 0x8001)]
    )
    assert torch.equal(raw(source.to("infini").to(to).cpu()), raw(source.to(to)))
    assert torch.equal(raw(source.to("infini", to).cpu()), raw(source.to(to)))


@pytest.mark.parametrize("of", [torch.bfloat16, torch.float16], ids=name.get)
def test_widening_of_every_16_bit_pattern(of):
    source = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(of)
    assert torch.equal(raw(source.to("infini").float().cpu()), raw(source.float()))
    assert torch.equal(raw(source.to("infini").cpu()), raw(source))


def test_bytes_of_bool_become_what_they_are_on_the_cpu():
    source = torch.tensor([0, 1, 2, 255], dtype=torch.uint8)
    as_bool = source.to("infini").view(torch.bool)
    assert (
        as_bool.clone().cpu().view(torch.uint8).tolist()
        == source.view(torch.bool).clone().view(torch.uint8).tolist()
    )


def test_large_strided_conversion_uses_the_same_values():
    source = torch.randn(512, 768, dtype=torch.float64)
    made = (
        torch.empty(768, 512, dtype=torch.bfloat16, device="infini").t().copy_(source)
    )
    assert torch.equal(made.cpu(), source.bfloat16())
