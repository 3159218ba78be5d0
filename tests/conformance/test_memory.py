"""Contract of allocation, pinned host memory and copies."""

import math

import pytest
import torch

DTYPES = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
]
SHAPES = [(), (0,), (1,), (7,), (3, 5), (2, 0, 4), (2, 3, 4, 5), (1 << 17,)]


def values(shape, dtype=torch.float32):
    count = math.prod(shape)
    return torch.arange(count).remainder(97).reshape(shape).to(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_empty_has_the_asked_for_layout(backend, dtype):
    made = torch.empty((2, 3, 4), dtype=dtype, device=backend.name)
    assert made.device == backend.device(0)
    assert made.dtype == dtype
    assert made.shape == (2, 3, 4)
    assert made.stride() == (12, 4, 1)
    assert made.untyped_storage().nbytes() == 24 * dtype.itemsize
    assert made.untyped_storage().device == backend.device(0)


def test_empty_honours_memory_format(backend):
    made = torch.empty(
        (2, 3, 4, 5), device=backend.name, memory_format=torch.channels_last
    )
    assert (
        made.stride()
        == torch.empty((2, 3, 4, 5), memory_format=torch.channels_last).stride()
    )


@pytest.mark.parametrize(
    ("size", "stride"),
    [((2, 3), (1, 2)), ((4,), (3,)), ((2, 3), (0, 1)), ((0, 3), (3, 1)), ((), ())],
)
def test_empty_strided_has_the_asked_for_layout(backend, size, stride):
    made = torch.empty_strided(size, stride, device=backend.name)
    oracle = torch.empty_strided(size, stride)
    assert made.device == backend.device(0)
    assert made.shape == oracle.shape
    assert made.stride() == oracle.stride()
    assert made.untyped_storage().nbytes() == oracle.untyped_storage().nbytes()


@pytest.mark.parametrize("call", ["empty", "empty_strided"])
def test_sizes_that_cannot_be_are_refused_as_on_the_cpu(backend, call):
    def make(device):
        if call == "empty":
            return torch.empty((-1, 2), device=device)
        return torch.empty_strided((2, -1), (1, 1), device=device)

    with pytest.raises(RuntimeError, match=r"negative"):
        make("cpu")
    with pytest.raises(RuntimeError, match=r"negative"):
        make(backend.name)


def test_out_of_memory_is_an_error_and_not_the_end(backend):
    with pytest.raises(torch.OutOfMemoryError, match=r"(?i)tried to allocate"):
        torch.empty(1 << 45, dtype=torch.float64, device=backend.name)
    assert torch.equal(backend.tensor([1.0]).cpu(), torch.tensor([1.0]))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("non_blocking", [False, True])
def test_copy_there_and_back_is_exact(backend, dtype, non_blocking):
    source = values((5, 31), dtype)
    there = torch.empty((5, 31), dtype=dtype, device=backend.name)
    assert there.copy_(source, non_blocking=non_blocking) is there
    back = torch.empty((5, 31), dtype=dtype)
    back.copy_(there)
    assert torch.equal(back, source)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_copy_of_every_shape(backend, shape):
    source = values(shape)
    there = torch.empty(shape, device=backend.name).copy_(source)
    other = torch.empty(shape, device=backend.name).copy_(there)
    back = torch.empty(shape).copy_(other)
    assert torch.equal(back, source)


def test_copy_from_ordinary_memory_is_complete_on_return(infini):
    source = values((1 << 18,))
    kept = source.clone()
    there = torch.empty(1 << 18, device="infini")
    there.copy_(source, non_blocking=True)
    source.zero_()
    assert torch.equal(there.cpu(), kept)


def test_copy_to_ordinary_memory_is_complete_on_return(infini):
    source = values((1 << 18,))
    there = infini.tensor(source)
    back = torch.zeros(1 << 18)
    back.copy_(there, non_blocking=True)
    assert torch.equal(back, source)


def test_pinned_copies_are_complete_after_the_stream(backend):
    source = values((1 << 18,)).pin_memory(backend.name)
    back = torch.zeros(1 << 18).pin_memory(backend.name)
    stream = backend.api.Stream()
    with backend.api.stream(stream):
        there = torch.empty(1 << 18, device=backend.name)
        there.copy_(source, non_blocking=True)
        back.copy_(there, non_blocking=True)
    stream.synchronize()
    assert torch.equal(back, source)


def test_pinned_copies_are_complete_after_an_event(backend):
    source = values((1 << 18,)).pin_memory(backend.name)
    back = torch.zeros(1 << 18).pin_memory(backend.name)
    there = torch.empty(1 << 18, device=backend.name)
    there.copy_(source, non_blocking=True)
    back.copy_(there, non_blocking=True)
    backend.api.current_stream().record_event().synchronize()
    assert torch.equal(back, source)


def test_memory_of_a_pinned_copy_lives_until_it_is_done(backend):
    there = torch.empty(1 << 18, device=backend.name)
    for value in range(20):
        source = torch.full((1 << 18,), float(value)).pin_memory(backend.name)
        there.copy_(source, non_blocking=True)
        del source
        torch.full((1 << 18,), -1.0).pin_memory(backend.name)
        backend.api.synchronize()
        assert torch.equal(there.cpu(), torch.full((1 << 18,), float(value)))


def test_blocking_copy_to_pinned_memory_is_complete_on_return(backend):
    source = values((1 << 16,))
    there = backend.tensor(source)
    back = torch.zeros(1 << 16).pin_memory(backend.name)
    back.copy_(there)
    assert torch.equal(back, source)


def test_copies_of_unequal_shapes_are_refused(backend):
    there = torch.empty(3, device=backend.name)
    for other in (torch.empty(4), torch.empty(4, device=backend.name)):
        with pytest.raises(RuntimeError, match=r"size|shape"):
            there.copy_(other)
        with pytest.raises(RuntimeError, match=r"size|shape"):
            other.copy_(there)


def test_tensor_pin_memory(backend):
    source = values((3, 5))
    pinned = source.pin_memory(backend.name)
    assert pinned.device.type == "cpu"
    assert pinned.is_pinned(backend.name) is True
    assert source.is_pinned(backend.name) is False
    assert torch.equal(pinned, source)
    assert pinned.data_ptr() != source.data_ptr()
    assert pinned.pin_memory(backend.name).data_ptr() == pinned.data_ptr()
    assert pinned[1:].is_pinned(backend.name) is True


def test_storage_pin_memory(backend):
    source = values((16,))
    for storage in (source.untyped_storage(), source.storage()):
        pinned = storage.pin_memory(backend.name)
        assert pinned.is_pinned(backend.name) is True
        assert storage.is_pinned(backend.name) is False
        assert pinned.nbytes() == storage.nbytes()
        assert pinned.device.type == "cpu"
        assert pinned.tolist() == storage.tolist()


def test_pin_memory_of_device_memory_is_refused(backend):
    with pytest.raises(RuntimeError, match=r"cannot pin|only.*CPU|pin"):
        torch.empty(3, device=backend.name).pin_memory(backend.name)


def test_pinned_empty_tensor(backend):
    pinned = torch.empty(0).pin_memory(backend.name)
    there = torch.empty(0, device=backend.name)
    there.copy_(pinned, non_blocking=True)
    pinned.copy_(there, non_blocking=True)
    backend.api.synchronize()
    assert pinned.shape == (0,)
