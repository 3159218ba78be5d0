"""copy_ of arbitrary layouts, dtypes and places against plain PyTorch."""

import re

import pytest
import torch
import torch_infini  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st

DTYPES = [
    torch.bool,
    torch.uint8,
    torch.int16,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
]


@st.composite
def layouts(draw, shape):
    """Strides and an offset of a tensor whose elements do not overlap."""
    order = draw(st.permutations(range(len(shape))))
    strides = [0] * len(shape)
    step = draw(st.integers(1, 3))
    for dimension in order:
        strides[dimension] = step
        step = step * max(shape[dimension], 1) + draw(st.integers(0, 3))
    return strides, draw(st.integers(0, 5)), step + 8


@st.composite
def cases(draw):
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    kept = [1 if draw(st.booleans()) and draw(st.booleans()) else n for n in shape]
    source_shape = (
        kept[draw(st.integers(0, len(kept))) :] if draw(st.booleans()) else kept
    )
    return {
        "shape": shape,
        "source_shape": source_shape,
        "layout": draw(layouts(shape)),
        "source_layout": draw(layouts(source_shape)),
        "dtype": draw(st.sampled_from(DTYPES)),
        "source_dtype": draw(st.sampled_from(DTYPES)),
        "bits": draw(st.lists(st.sampled_from(["conj", "neg"]), unique=True)),
        "source_bits": draw(st.lists(st.sampled_from(["conj", "neg"]), unique=True)),
        "places": draw(
            st.sampled_from(
                [("cpu", "infini"), ("infini", "cpu"), ("infini", "infini")]
            )
        ),
        "non_blocking": draw(st.booleans()),
        "seed": draw(st.integers(0, 1 << 30)),
    }


def make_storage(size, dtype, generator):
    values = torch.randint(0, 100, (size,), generator=generator)
    if dtype.is_complex:
        return torch.complex(values.double(), values.flip(0).double()).to(dtype)
    return values.to(dtype)


def view(storage, shape, layout, bits):
    strides, offset, _ = layout
    tensor = storage.as_strided(shape, strides, offset)
    if "conj" in bits:
        tensor = tensor.conj()
    if "neg" in bits and (tensor.is_floating_point() or tensor.is_complex()):
        tensor = torch._neg_view(tensor)
    return tensor


@settings(max_examples=400, deadline=None)
@given(cases())
def test_any_copy(case):
    generator = torch.Generator().manual_seed(case["seed"])
    storage = make_storage(case["layout"][2] + 8, case["dtype"], generator)
    source = make_storage(case["source_layout"][2] + 8, case["source_dtype"], generator)
    to, of = case["places"]
    on_to, on_of = storage.clone().to(to), source.to(of)

    def copy(destination, origin):
        view(destination, case["shape"], case["layout"], case["bits"]).copy_(
            view(
                origin, case["source_shape"], case["source_layout"], case["source_bits"]
            ),
            non_blocking=case["non_blocking"],
        )

    try:
        copy(storage, source)
    except NotImplementedError as error:
        with pytest.raises(NotImplementedError, match=re.escape(str(error))):
            copy(on_to, on_of)
        return
    copy(on_to, on_of)
    torch.infini.synchronize()
    torch.testing.assert_close(on_to.cpu(), storage, rtol=0, atol=0, equal_nan=True)
    assert torch.equal(on_of.cpu(), source)
