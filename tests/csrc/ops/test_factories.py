"""Tensors made on the device: layout, values, deterministic fill, bad arguments."""

import pytest
import torch

NO_TENSOR_ARGUMENT = {
    "arange": lambda d: torch.arange(1, 7, 2, device=d),
    "arange_float": lambda d: torch.arange(0, 1, 0.25, device=d),
    "range": lambda d: torch.linspace(0, 1, 5, device=d),
    "logspace": lambda d: torch.logspace(0, 2, 3, device=d),
    "eye": lambda d: torch.eye(3, 4, device=d),
    "full": lambda d: torch.full((2, 2), 7, device=d),
    "full_bool": lambda d: torch.full((2,), True, device=d),
    "ones": lambda d: torch.ones(2, 0, 3, device=d),
    "zeros": lambda d: torch.zeros((), device=d),
    "tril_indices": lambda d: torch.tril_indices(3, 4, device=d),
    "triu_indices": lambda d: torch.triu_indices(3, 4, 1, device=d),
    "hann_window": lambda d: torch.hann_window(6, device=d),
    "hamming_window": lambda d: torch.hamming_window(6, device=d),
    "kaiser_window": lambda d: torch.kaiser_window(6, device=d),
    "blackman": lambda d: torch.signal.windows.blackman(6, device=d),
    "scalar_tensor": lambda d: torch.scalar_tensor(3, device=d),
    "tensor": lambda d: torch.tensor([[1, 2], [3, 4]], device=d),
    "as_tensor": lambda d: torch.as_tensor([1.5], device=d),
    "complex": lambda d: torch.tensor([1j], device=d),
    "fftfreq": lambda d: torch.fft.fftfreq(5, device=d),
    "vander": lambda d: torch.vander(torch.arange(3, device=d)),
    "cartesian": lambda d: torch.cartesian_prod(*[torch.arange(2, device=d)] * 2),
    "meshgrid": lambda d: torch.meshgrid(
        *[torch.arange(2, device=d)] * 2, indexing="ij"
    )[1],
    "block_diag": lambda d: torch.block_diag(torch.ones(1, 2, device=d)),
    "efficient_zero": lambda d: torch._efficientzerotensor((2, 3), device=d).clone(),
}


@pytest.mark.parametrize("name", NO_TENSOR_ARGUMENT)
def test_factory(device, same, name):
    make = NO_TENSOR_ARGUMENT[name]
    same(make(device), make("cpu"))


@pytest.mark.parametrize("name", ["arange", "triu_indices", "eye", "tensor"])
def test_default_device(device, same, name):
    with torch.device(device):
        got = NO_TENSOR_ARGUMENT[name](None)
    same(got, NO_TENSOR_ARGUMENT[name]("cpu"))


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "rand_like"])
def test_like_keeps_the_layout(device, name):
    x = torch.zeros(2, 3, 4, 5, device=device)
    for layout in (
        x.permute(0, 2, 3, 1),
        x.contiguous(memory_format=torch.channels_last),
    ):
        made = getattr(torch, name)(layout)
        assert made.stride() == layout.stride()
        assert made.device == layout.device
    other = getattr(torch, name)(x, dtype=torch.float64)
    assert other.dtype == torch.float64


def test_new_methods(device):
    x = torch.zeros(2, device=device)
    for made in (
        x.new_empty(3),
        x.new_zeros(3),
        x.new_full((3,), 2),
        x.new_tensor([1, 2, 3]),
    ):
        assert made.device == x.device
        assert made.shape == (3,)


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.complex64,
        torch.int8,
        torch.uint8,
        torch.int64,
        torch.bool,
        torch.uint16,
        torch.uint64,
    ],
)
@pytest.mark.parametrize("make", ["empty", "empty_strided", "resize", "new_empty"])
def test_deterministic_fill(device, dtype, make):
    """Fresh memory is NaN or the largest value, as on the CPU."""

    def fresh(where):
        if make == "empty":
            return torch.empty(5, dtype=dtype, device=where)
        if make == "empty_strided":
            return torch.empty_strided((2, 3), (1, 2), dtype=dtype, device=where)
        if make == "new_empty":
            return torch.zeros(1, dtype=dtype, device=where).new_empty(4)
        return torch.zeros(2, dtype=dtype, device=where).resize_(7)

    torch.use_deterministic_algorithms(True)
    try:
        got, expected = fresh(device).cpu(), fresh("cpu")
    finally:
        torch.use_deterministic_algorithms(False)
    if dtype.is_complex:
        got, expected = torch.view_as_real(got), torch.view_as_real(expected)
    as_float = (
        (lambda t: t.double())
        if dtype != torch.uint64
        else (lambda t: t.view(torch.int64))
    )
    torch.testing.assert_close(
        as_float(got), as_float(expected), rtol=0, atol=0, equal_nan=True
    )


def test_bad_arguments(device):
    with pytest.raises(RuntimeError, match="negative dimension"):
        torch.empty(-1, device=device)
    with pytest.raises(RuntimeError, match=r"[Ss]torage size|overflow|out of memory"):
        torch.empty(1 << 62, 1 << 40, device=device)
    with pytest.raises(TypeError):
        torch.empty("a", device=device)


def test_sparse_layout_is_refused():
    import torch_infini  # noqa: F401

    with pytest.raises(NotImplementedError, match="strided"):
        torch.empty(2, 2, layout=torch.sparse_coo, device="infini")


def test_pinned_is_refused():
    import torch_infini  # noqa: F401

    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.empty(2, pin_memory=True, device="infini")


def test_from_numpy_and_back(device):
    numpy = pytest.importorskip("numpy")
    values = numpy.arange(6.0).reshape(2, 3)
    x = torch.as_tensor(values, device=device)
    assert (x.cpu().numpy() == values).all()
    assert torch.tensor(values, device=device).dtype == torch.float64
    if device != "cpu":
        with pytest.raises(TypeError, match=r"convert .* to numpy"):
            x.numpy()
