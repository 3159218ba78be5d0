"""Sizes that cannot be: huge, overflowing, negative."""

import pytest
import torch

from misuse.attempts import each

OOM = torch.OutOfMemoryError
TOTAL = "bytes on infini:0, which has a total of"
OVERFLOW = "Storage size calculation overflowed with sizes="
NEGATIVE = "negative"
ALLOCATE = "infini out of memory. Tried to allocate"

ATTEMPTS = [
    ("torch.empty(2**45, device=D)", OOM, f"{ALLOCATE} 140737488355328 {TOTAL}"),
    ("torch.zeros(2**40, device=D)", OOM, f"{ALLOCATE} 4398046511104 {TOTAL}"),
    ("torch.arange(2**42, device=D)", OOM, f"{ALLOCATE} 35184372088832 {TOTAL}"),
    ("torch.randn(2**42, device=D)", OOM, f"{ALLOCATE} 17592186044416 {TOTAL}"),
    ("x[:1].expand(2**40).clone()", OOM, f"{ALLOCATE} 4398046511104 {TOTAL}"),
    ("x[:1].expand(2**40) + 1", OOM, f"{ALLOCATE} 4398046511104 {TOTAL}"),
    (
        "x[:1].expand(2**40) + x[:1].expand(2**40)",
        OOM,
        f"{ALLOCATE} 4398046511104 {TOTAL}",
    ),
    ("x[:2].repeat(2**40)", OOM, f"{ALLOCATE} 8796093022208 {TOTAL}"),
    ("x.resize_(2**42)", OOM, f"{ALLOCATE} 17592186044416 {TOTAL}"),
    ("x.untyped_storage().resize_(2**45)", OOM, f"{ALLOCATE} 35184372088832 {TOTAL}"),
    ("torch.UntypedStorage(2**45, device=D)", OOM, f"{ALLOCATE} 35184372088832"),
    ("torch.empty_strided((2,), (2**60,), device=D)", OOM, "4611686018427387908"),
    (
        "torch.empty(2**45, pin_memory=True)",
        OOM,
        "out of pinned host memory. Tried to allocate 140737488355328 bytes",
    ),
    ("torch.empty(2**62, device=D)", RuntimeError, f"{OVERFLOW}[4611686018427387904]"),
    ("torch.empty(2**40, 2**40, device=D)", RuntimeError, OVERFLOW),
    ("torch.empty_strided((2,), (2**62,), device=D)", RuntimeError, OVERFLOW),
    ("torch.empty_strided((2,), (-1,), device=D)", RuntimeError, "strides=[-1]"),
    ("torch.empty_strided((2, 3), (1,), device=D)", RuntimeError, "must match"),
    ("torch.empty(-1, device=D)", RuntimeError, "negative dimension -1: [-1]"),
    ("torch.empty(3, -2, device=D)", RuntimeError, "negative dimension -2: [3, -2]"),
    ("torch.zeros(-1, device=D)", RuntimeError, "size must be non-negative"),
    ("x.resize_(-1)", RuntimeError, f"{OVERFLOW}[-1]"),
    ("x.untyped_storage().resize_(-1)", RuntimeError, NEGATIVE),
    ("torch.UntypedStorage(-1, device=D)", RuntimeError, NEGATIVE),
    ("torch.empty(1.5, device=D)", TypeError, "must be tuple of ints, not float"),
    ("x[:1].expand(2**40).cpu()", RuntimeError, "DefaultCPUAllocator: can't allocate"),
]


@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


def test_a_failed_resize_leaves_tensor_and_storage_as_they_were():
    x = torch.arange(4.0, device="infini")
    for resize in (x.resize_, x.untyped_storage().resize_):
        with pytest.raises(OOM):
            resize(2**42)
        assert x.tolist() == [0, 1, 2, 3]
        assert x.untyped_storage().nbytes() == 16


def test_out_of_memory_is_caught_as_for_cuda():
    with pytest.raises(torch.infini.OutOfMemoryError):
        torch.empty(2**45, device="infini")
    assert torch.infini.OutOfMemoryError is torch.cuda.OutOfMemoryError
