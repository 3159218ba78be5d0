"""torch.utils.deterministic.fill_uninitialized_memory: fresh memory as the CPU's."""

import pytest
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from dtypes import ALL as DTYPES
from torch import nn

FACTORIES = {
    "empty": lambda dtype, device: torch.empty(4, 3, dtype=dtype, device=device),
    "channels last": lambda dtype, device: torch.empty(
        2, 3, 2, 2, dtype=dtype, device=device, memory_format=torch.channels_last
    ),
    "empty_strided": lambda dtype, device: torch.empty_strided(
        (4, 3), (1, 4), dtype=dtype, device=device
    ),
    "empty_permuted": lambda dtype, device: torch.empty_permuted(
        (4, 3), (1, 0), dtype=dtype, device=device
    ),
    "empty_like": lambda dtype, device: torch.empty_like(
        torch.zeros(3, 2, device=device).t(), dtype=dtype
    ),
    "new_empty": lambda dtype, device: torch.zeros(2, device=device).new_empty(
        5, dtype=dtype
    ),
    "new_empty_strided": lambda dtype, device: torch.zeros(
        2, device=device
    ).new_empty_strided((3, 2), (1, 3), dtype=dtype),
    "resize_": lambda dtype, device: torch.zeros(0, dtype=dtype, device=device).resize_(
        7
    ),
    "resize_ that grows": lambda dtype, device: (
        torch.ones(16, dtype=torch.uint8, device=device).view(dtype).resize_(31)
    ),
    "resize_as_": lambda dtype, device: torch.zeros(
        0, dtype=dtype, device=device
    ).resize_as_(torch.zeros(3, 2, device=device).to(dtype)),
    "new": lambda dtype, device: torch.zeros(1, dtype=dtype, device=device).new(4),
}
KERNELS = {
    "out": lambda x: torch.add(x, 1, out=torch.empty(0, device=x.device)),
    "masked": lambda x: torch.empty_like(x).masked_fill_(x > 0, 1),
    "scatter": lambda x: x.new_empty(9).scatter_(0, (x[0] > 0).long(), 2.0),
    "part of out": lambda x: torch.sum(x, 0, out=x.new_empty(12)[:3]).add(0),
    "matrix": lambda x: x @ x.t(),
    "svd": lambda x: torch.linalg.svd(x).S,
    "recurrent": lambda x: nn.functional.fold(x.new_ones(1, 4, 4), (3, 3), 2),
}


@pytest.fixture(autouse=True)
def dirty_memory():
    """Memory that is used again holds something else than the fill."""
    for size in (16, 64, 256, 1024):
        torch.full((size,), 0x5A, dtype=torch.uint8, device="infini")


@pytest.fixture
def deterministic():
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


def raw(tensor):
    return bytes(tensor.untyped_storage().cpu())


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("make", FACTORIES)
def test_every_byte(deterministic, make, dtype):
    got = FACTORIES[make](dtype, "infini")
    expected = FACTORIES[make](dtype, "cpu")
    assert got.dtype == dtype
    assert got.stride() == expected.stride()
    assert raw(got) == raw(expected)


@pytest.mark.parametrize("make", ["empty", "resize_"])
def test_the_switch(deterministic, make):
    assert torch.utils.deterministic.fill_uninitialized_memory
    assert FACTORIES[make](torch.float32, "infini").isnan().all()
    torch.utils.deterministic.fill_uninitialized_memory = False
    try:
        # Memory is given out again as it was left.
        torch.full((12,), 5.0, device="infini")
        assert not torch.empty(12, device="infini").isnan().any()
    finally:
        torch.utils.deterministic.fill_uninitialized_memory = True


@pytest.mark.parametrize("name", KERNELS)
def test_results(deterministic, name):
    torch.manual_seed(0)
    x = torch.randn(4, 3)
    got, expected = KERNELS[name](x.to("infini")), KERNELS[name](x)
    assert got.device.type == "infini"
    assert raw(got) == raw(expected)
