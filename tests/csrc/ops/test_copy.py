"""copy_ between infini and CPU tensors: layouts, bits, overlap, errors."""

import itertools
import re

import pytest
import torch
import torch_infini  # noqa: F401

PLACES = [("cpu", "infini"), ("infini", "cpu"), ("infini", "infini")]
places = pytest.mark.parametrize(("to", "of"), PLACES, ids=["H2D", "D2H", "D2D"])


def twins(tensor, device):
    """The tensor's bytes and layout on a device, over a storage of its own."""
    flat = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
    storage = flat.to(device) if device != "cpu" else flat.clone()
    twin = storage.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())
    if tensor.is_conj():
        twin = twin.conj()
    if tensor.is_neg():
        twin = torch._neg_view(twin)
    return twin


def whole(tensor):
    """All of the storage, on the CPU."""
    flat = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return flat.set_(tensor.untyped_storage()).cpu()


def check(destination, source, to, of, **arguments):
    """As copy_ on the CPU; what lies between the elements stays."""
    expected = twins(destination, "cpu")
    copy = twins(destination, to)
    origin = twins(source, of)
    refusal = None
    try:
        expected.copy_(source)
    except NotImplementedError as error:
        refusal = re.escape(str(error))
    if refusal is not None:
        with pytest.raises(NotImplementedError, match=refusal):
            copy.copy_(origin, **arguments)
        return
    assert copy.copy_(origin, **arguments) is copy
    torch.testing.assert_close(
        whole(copy), whole(expected), rtol=0, atol=0, equal_nan=True
    )
    assert copy.stride() == destination.stride()


def base():
    return torch.arange(24.0).view(2, 3, 4)


LAYOUTS = {
    "contiguous": lambda: base(),
    "transposed": lambda: torch.arange(24.0).view(2, 4, 3).transpose(1, 2),
    "permuted": lambda: torch.arange(24.0).view(4, 2, 3).permute(1, 2, 0),
    "every second": lambda: torch.arange(48.0).view(2, 3, 8)[..., ::2],
    "middle rows": lambda: torch.arange(40.0).view(2, 5, 4)[:, 1:4],
    "with an offset": lambda: torch.arange(31.0)[7:].view(2, 3, 4),
    "one column": lambda: torch.arange(96.0).view(2, 3, 4, 4)[..., 1],
}


@places
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_layouts(to, of, layout, other):
    check(LAYOUTS[layout]().neg(), LAYOUTS[other](), to, of)
    check(-LAYOUTS[layout]() - 1, LAYOUTS[other]().double(), to, of)
    destination = LAYOUTS[layout]()
    check(destination, LAYOUTS[other](), to, of, non_blocking=True)


@places
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gaps_keep_their_values(to, of, layout):
    destination = LAYOUTS[layout]()
    check(destination, base() + 100, to, of)


@places
@pytest.mark.parametrize(
    "shape", [(), (1,), (4,), (3, 1), (1, 4), (3, 4), (1, 1, 4), (2, 1, 1), (1, 1, 1)]
)
def test_broadcasting(to, of, shape):
    source = torch.arange(1.0, 1 + torch.Size(shape).numel()).view(shape)
    check(torch.zeros(2, 3, 4), source, to, of)
    check(torch.zeros(2, 4, 3).transpose(1, 2), source, to, of)
    check(torch.zeros(2, 3, 4, dtype=torch.int16), source, to, of)


@places
def test_expanded_source(to, of):
    check(torch.zeros(5, 3), torch.arange(3.0).expand(5, 3), to, of)
    check(torch.zeros(5, 3), torch.tensor(2.5).expand(5, 3), to, of)
    check(torch.zeros(3, 5), torch.arange(3.0).unsqueeze(1).expand(3, 5), to, of)


@places
def test_overlapping_windows_as_a_source(to, of):
    check(torch.zeros(4, 3), torch.arange(6.0).unfold(0, 3, 1), to, of)


@places
@pytest.mark.parametrize(
    "memory_format", [torch.channels_last, torch.contiguous_format]
)
@pytest.mark.parametrize("source", [torch.channels_last, torch.contiguous_format])
def test_channels_last(to, of, memory_format, source):
    values = torch.arange(120.0).view(2, 3, 4, 5)
    destination = torch.zeros(2, 3, 4, 5).contiguous(memory_format=memory_format)
    check(destination, values.contiguous(memory_format=source), to, of)


def test_moving_keeps_channels_last():
    x = (
        torch.arange(120.0)
        .view(2, 3, 4, 5)
        .contiguous(memory_format=torch.channels_last)
    )
    for y in (x.to("infini"), x.to("infini").cpu(), x.to("infini").clone()):
        assert y.stride() == x.stride()
        assert torch.equal(y.cpu(), x)
    y = x.to("infini", memory_format=torch.contiguous_format)
    assert y.is_contiguous()
    assert torch.equal(y.cpu(), x)


@places
def test_zero_dimensional(to, of):
    check(torch.tensor(1.0), torch.tensor(-3.0), to, of)
    check(torch.tensor(1.0), torch.tensor(-3, dtype=torch.int8), to, of)


@places
@pytest.mark.parametrize("shape", [(0,), (0, 64), (64, 0), (3, 0, 4)])
def test_empty(to, of, shape):
    check(torch.zeros(shape), torch.ones(shape), to, of)
    check(torch.zeros(shape), torch.ones(shape, dtype=torch.int32), to, of)
    check(torch.zeros(shape), torch.tensor(1.0), to, of)
    assert torch.empty(shape, device=of).to(to).shape == shape


@places
@pytest.mark.parametrize("nbytes", [1, 4095, 131072, 131073, 1 << 20, (1 << 22) + 3])
def test_sizes_around_the_thread_split(to, of, nbytes):
    source = torch.randint(0, 256, (nbytes,), dtype=torch.uint8)
    destination = torch.zeros(nbytes, dtype=torch.uint8, device=to)
    destination.copy_(source.to(of))
    assert torch.equal(destination.cpu(), source)


BITS = {
    "plain": lambda x: x,
    "conj": lambda x: x.conj(),
    "neg": lambda x: torch._neg_view(x),
    "conj and neg": lambda x: torch._neg_view(x.conj()),
}


@places
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128, torch.complex32])
@pytest.mark.parametrize(("bits", "others"), list(itertools.product(BITS, BITS)))
def test_conjugate_and_negative_bits(to, of, dtype, bits, others):
    source = BITS[others](torch.tensor([1 + 2j, -3 - 4j, 0.5j], dtype=dtype))
    destination = BITS[bits](torch.zeros(3, dtype=dtype))
    check(destination, source, to, of)
    check(BITS[bits](torch.zeros(3, 2, dtype=dtype).t()[0]), source, to, of)
    if dtype != torch.complex32:
        other = torch.complex128 if dtype == torch.complex64 else torch.complex64
        check(BITS[bits](torch.zeros(3, dtype=other)), source, to, of)


@places
def test_negative_bit_of_real_tensors(to, of):
    x = torch.tensor([1.0, -2.0, 3.0])
    check(torch.zeros(3), torch._neg_view(x), to, of)
    check(torch._neg_view(torch.zeros(3)), x, to, of)
    check(torch._neg_view(torch.zeros(3)), torch._neg_view(x), to, of)
    check(torch.zeros(3, dtype=torch.int32), torch._neg_view(x), to, of)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.conj(),
        lambda x: x.conj().imag,
        lambda x: x.conj().real,
        lambda x: x.imag,
        lambda x: x.conj()[1:],
        lambda x: x.conj().conj(),
        lambda x: x.conj().t() if x.dim() == 2 else x,
        lambda x: torch._neg_view(x),
        lambda x: torch._neg_view(x.real),
        lambda x: x.conj().resolve_conj(),
        lambda x: x.conj().imag.resolve_neg(),
        lambda x: x.mH,
    ],
)
def test_views_with_bits_move_both_ways(view):
    x = torch.tensor([[1 + 2j, 3 - 4j], [-5 + 0.5j, 6j]])
    expected = view(x)
    moved = view(x.to("infini"))
    assert moved.is_conj() == expected.is_conj()
    assert moved.is_neg() == expected.is_neg()
    assert torch.equal(moved.cpu(), expected)
    assert moved.tolist() == expected.tolist()
    assert torch.equal(expected.to("infini").cpu(), expected)
    assert moved.flatten()[1].item() == expected.flatten()[1].item()


def test_itself():
    x = torch.arange(6.0, device="infini")
    assert x.copy_(x) is x
    x.copy_(x.view(6))
    x.view(2, 3).copy_(x.view(2, 3))
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    y = torch.arange(4, dtype=torch.int32, device="infini")
    y.copy_(y.view(torch.float32).view(torch.int32))
    assert y.tolist() == [0, 1, 2, 3]


def outcome(function):
    try:
        return function().tolist()
    except (RuntimeError, IndexError, NotImplementedError) as error:
        return type(error), str(error).splitlines()[0]


OVERLAPS = {
    "shifted": lambda x: x[1:].copy_(x[:-1]),
    "shifted back": lambda x: x[:-1].copy_(x[1:]),
    "transposed onto itself": lambda x: x.view(4, 4).copy_(x.view(4, 4).t()),
    "expanded destination": lambda x: x[:1].expand(4).copy_(x[:4]),
    "windows": lambda x: x.unfold(0, 3, 1).copy_(x[:3].clone()),
    "disjoint halves": lambda x: x[:8].copy_(x[8:]),
    "interleaved": lambda x: x[::2].copy_(x[1::2]),
    "rows": lambda x: x.view(4, 4)[0].copy_(x.view(4, 4)[3]),
    "row onto column": lambda x: x.view(4, 4)[:, 0].copy_(x.view(4, 4)[0].clone()),
    "complex onto its parts": lambda x: torch.view_as_complex(x.view(8, 2)).copy_(
        torch.view_as_complex(x.view(8, 2))
    ),
    "conjugate in place": lambda x: torch.view_as_complex(x.view(8, 2)).copy_(
        torch.view_as_complex(x.view(8, 2)).conj()
    ),
}


@pytest.mark.parametrize("case", OVERLAPS)
def test_overlapping_memory(case):
    x = torch.arange(16.0)
    y = x.to("infini")
    assert outcome(lambda: OVERLAPS[case](y)) == outcome(lambda: OVERLAPS[case](x))
    assert y.tolist() == x.tolist()


WRONG = {
    "longer": ((3,), (4,)),
    "more dimensions": ((3,), (2, 3)),
    "incompatible": ((2, 3), (3, 2)),
    "to empty": ((0,), (2,)),
    "from empty": ((2,), (0,)),
    "to zero dimensions": ((), (2,)),
    "one element to zero dimensions": ((), (1,)),
}


@places
@pytest.mark.parametrize("case", WRONG)
def test_wrong_shapes(to, of, case):
    shape, other = WRONG[case]

    def attempt(to, of):
        return outcome(
            lambda: torch.zeros(shape, device=to).copy_(torch.ones(other, device=of))
        )

    expected = attempt("cpu", "cpu")
    assert isinstance(expected, tuple)
    assert attempt(to, of) == expected


def test_meta():
    meta = torch.empty(3, device="meta")
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        torch.zeros(3, device="infini").copy_(meta)
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        meta.to("infini")
    assert torch.ones(3, device="infini").to("meta").is_meta
    assert meta.copy_(torch.ones(3, device="infini")).is_meta


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.eye(3).to_sparse(),
        lambda: torch.eye(3).to_sparse_csr(),
        lambda: torch.quantize_per_tensor(torch.eye(3), 0.1, 0, torch.qint8),
        lambda: torch.eye(3).to_mkldnn(),
    ],
    ids=["sparse", "csr", "quantized", "mkldnn"],
)
def test_other_layouts_are_refused(make):
    x = torch.zeros(3, 3, device="infini")
    with pytest.raises((NotImplementedError, RuntimeError)) as error:
        x.copy_(make())
    assert "infini" in str(error.value) or "Sparse" in str(error.value)
    assert x.sum().item() == 0


class TestAutograd:
    @places
    def test_gradients_go_back_to_the_source(self, to, of):
        source = torch.arange(3.0, device=of, requires_grad=True)
        destination = torch.zeros(2, 3, device=to)
        destination.copy_(source)
        (destination * 2).sum().backward()
        assert source.grad.device.type == of
        assert source.grad.tolist() == [4, 4, 4]

    @places
    def test_conversion_has_a_gradient(self, to, of):
        source = torch.arange(3.0, device=of, requires_grad=True)
        source.to(to, torch.float64).pow(2).sum().backward()
        assert source.grad.dtype == torch.float32
        assert source.grad.tolist() == [0, 2, 4]

    def test_leaf_in_place_is_an_error(self):
        x = torch.zeros(3, device="infini", requires_grad=True)
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
            x.copy_(torch.ones(3))
        with torch.no_grad():
            assert x.copy_(torch.ones(3)).tolist() == [1, 1, 1]

    def test_version_counts(self):
        x = torch.zeros(3, device="infini", requires_grad=True)
        y = x * 1
        z = (y * y).sum()
        with torch.no_grad():
            y.copy_(torch.ones(3))
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            z.backward()

    def test_a_copy_between_devices_needs_no_grad_in_inference_mode(self):
        with torch.inference_mode():
            x = torch.ones(3, device="infini").copy_(torch.zeros(3))
            assert x.cpu().tolist() == [0, 0, 0]


def test_item_of_each_kind():
    for value in (3.5, 7, True, 2 - 3j):
        x = torch.tensor([value])
        assert x.to("infini").item() == value
        assert x.to("infini")[0].item() == value
    z = torch.tensor([1 + 2j], device="infini")
    assert z.conj().item() == 1 - 2j
    assert z.conj().imag.item() == -2
    assert torch._neg_view(z.real).item() == -1


def test_from_many_threads():
    import threading

    source = torch.arange(1 << 16)
    failures = []

    def work(value):
        for _ in range(50):
            x = (source + value).to("infini")
            if not torch.equal(x.clone().cpu(), source + value):
                failures.append(value)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
