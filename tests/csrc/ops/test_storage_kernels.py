"""resize_, set_, storages: bytes are kept, views follow, wrong devices are refused."""

import gc

import pytest
import torch


def test_resize_keeps_the_bytes(device):
    x = torch.arange(6.0, device=device)
    assert x.resize_(2, 5) is x
    assert x.shape == (2, 5)
    assert x.flatten()[:6].tolist() == [0, 1, 2, 3, 4, 5]
    assert x.resize_(4).tolist() == [0, 1, 2, 3]
    x.resize_(2, 1, 2, 2, memory_format=torch.channels_last)
    assert x.is_contiguous(memory_format=torch.channels_last)


def test_resize_of_a_view_grows_the_shared_storage(device):
    base = torch.arange(4.0, device=device)
    view = base[2:]
    view.resize_(6)
    assert view[:2].tolist() == [2, 3]
    assert base.tolist() == [0, 1, 2, 3]
    view[0] = 9
    assert base.tolist() == [0, 1, 9, 3]


def test_resize_to_nothing_and_back(device):
    x = torch.ones(3, device=device)
    storage = x.untyped_storage()
    storage.resize_(0)
    assert storage.nbytes() == 0
    storage.resize_(12)
    x.fill_(2)
    assert x.tolist() == [2, 2, 2]


def test_storage_resize_preserves_bytes(device):
    x = torch.arange(4, dtype=torch.int32, device=device)
    other = x[1:]
    x.untyped_storage().resize_(32)
    assert x.untyped_storage().nbytes() == 32
    assert x.tolist() == [0, 1, 2, 3]
    other.add_(1)
    assert x.tolist() == [0, 2, 3, 4]
    x.untyped_storage().resize_(16)
    assert x.tolist() == [0, 2, 3, 4]


def test_set_shares(device):
    x, y = torch.zeros(0, device=device), torch.arange(6.0, device=device)
    x.set_(y)
    assert x.tolist() == y.tolist()
    x.set_(y.untyped_storage())
    x.set_(y.untyped_storage(), 1, (2, 2), (1, 2))
    assert x.tolist() == [[1, 3], [2, 4]]
    x.zero_()
    assert y.tolist() == [0, 0, 0, 0, 0, 5]
    x.set_()
    assert x.shape == (0,)
    assert x.untyped_storage().nbytes() == 0


def test_set_on_the_wrong_device(device):
    import torch_infini  # noqa: F401

    other = "cpu" if device == "infini" else "infini"
    x, y = torch.zeros(2, device=device), torch.zeros(2, device=other)
    with pytest.raises(RuntimeError, match="device"):
        x.set_(y)
    with pytest.raises(RuntimeError, match="device"):
        x.set_(y.untyped_storage())
    assert x.tolist() == [0, 0]


def test_set_out_of_bounds(device):
    x, y = torch.zeros(0, device=device), torch.arange(2.0, device=device)
    with pytest.raises(RuntimeError, match=r"(?i)negative|offset"):
        x.set_(y.untyped_storage(), -1, (2,), (1,))


def test_data_swap(device):
    x, y = torch.ones(2, device=device), torch.zeros(3, device=device)
    x.data = y
    assert x.tolist() == [0, 0, 0]
    y.fill_(4)
    assert x.tolist() == [4, 4, 4]


def test_swap_tensors(device):
    x, y = torch.ones(2, device=device), torch.zeros(3, device=device)
    torch.utils.swap_tensors(x, y)
    assert (x.tolist(), y.tolist()) == ([0, 0, 0], [1, 1])


def test_kernel_that_swaps_storages(device):
    """addmm_ and friends may compute elsewhere and set_ the result."""
    x = torch.ones(2, 2, device=device)
    y = x.t()
    y.addmm_(x, x)
    assert x.tolist() == [[3, 3], [3, 3]]
    out = torch.empty(0, device=device)
    torch.unique(torch.tensor([3, 1, 3], device=device))
    torch.sort(
        torch.tensor([3.0, 1], device=device),
        out=(out, torch.empty(0, dtype=torch.long, device=device)),
    )
    assert out.tolist() == [1, 3]


def test_record_stream(device):
    if device == "cpu":
        pytest.skip("the CPU has no record_stream")
    stream = torch.infini.Stream()
    x = torch.ones(4, device=device)
    with torch.infini.stream(stream):
        y = x * 2
        x.record_stream(stream)
    del x
    gc.collect()
    stream.synchronize()
    assert y.tolist() == [2, 2, 2, 2]


def test_is_set_to_and_shared_memory(device):
    x = torch.zeros(3, device=device)
    assert x.is_set_to(x.view(3))
    assert not x.is_set_to(x.clone())
    assert x.untyped_storage().device.type == device


def test_storage_outlives_the_tensor(device):
    storage = (torch.ones(3, device=device) * 2).untyped_storage()
    gc.collect()
    x = torch.empty(0, device=device).set_(storage, 0, (3,))
    assert x.tolist() == [2, 2, 2]


def test_huge_resize_leaves_the_tensor():
    """Unlike the CPU's, which has the new sizes and the old memory then."""
    import torch_infini  # noqa: F401

    x = torch.arange(3.0, device="infini")
    with pytest.raises(torch.OutOfMemoryError, match="Tried to allocate"):
        x.resize_(1 << 60)
    assert x.shape == (3,)
    assert x.sum().item() == 3
