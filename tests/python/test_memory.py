"""torch.infini's memory statistics."""

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini
MIB = 1 << 20


@pytest.fixture(autouse=True)
def settled():
    infini.synchronize()
    infini.empty_cache()


def test_a_tensor_is_counted_and_given_back():
    before = infini.memory_allocated()
    x = torch.empty(4 * MIB, dtype=torch.uint8, device="infini")
    assert infini.memory_allocated() == before + 4 * MIB
    assert infini.memory_reserved() >= infini.memory_allocated()
    del x
    assert infini.memory_allocated() == before


def test_peak():
    infini.reset_peak_memory_stats()
    base = infini.memory_allocated()
    assert infini.max_memory_allocated() == base
    x = torch.empty(8 * MIB, dtype=torch.uint8, device="infini")
    del x
    assert infini.max_memory_allocated() == base + 8 * MIB
    assert infini.max_memory_reserved() >= base + 8 * MIB
    infini.reset_peak_memory_stats()
    assert infini.max_memory_allocated() == base


def test_results_of_operators_are_counted():
    x = torch.ones(MIB, device="infini")
    before = infini.memory_allocated()
    y = torch.exp(x)
    assert infini.memory_allocated() - before == 4 * MIB
    assert y[0].item() == pytest.approx(2.718281828)


def test_flat_and_nested_agree_with_the_accelerator():
    flat = infini.memory_stats()
    assert list(flat) == sorted(flat)
    nested = infini.memory_stats_as_nested_dict()
    name = "allocated_bytes.all.current"
    assert nested["allocated_bytes"]["all"]["current"] == flat[name]
    assert torch.accelerator.memory_stats()[name] == infini.memory_stats()[name]
    assert torch.accelerator.memory_allocated() == infini.memory_allocated()


def test_peaks_of_counts_stay():
    infini.reset_peak_memory_stats()
    base = infini.memory_stats()["allocation.all.current"]
    x = [torch.empty(10, device="infini") for _ in range(7)]
    large = [torch.empty(32 * MIB, device="infini") for _ in range(3)]
    segments = infini.memory_stats()["segment.all.current"]
    del x, large
    infini.empty_cache()
    stats = infini.memory_stats()
    assert stats["allocation.all.peak"] == base + 10
    assert stats["segment.all.peak"] >= segments > stats["segment.all.current"]
    infini.reset_peak_memory_stats()
    assert infini.memory_stats()["allocation.all.peak"] == base


def test_accumulated():
    torch.empty(MIB, device="infini")
    assert infini.memory_stats()["allocated_bytes.all.allocated"] > 0
    infini.reset_accumulated_memory_stats()
    assert infini.memory_stats()["allocated_bytes.all.allocated"] == 0


def test_empty_cache_returns_what_is_not_in_use():
    x = torch.empty(16 * MIB, dtype=torch.uint8, device="infini")
    del x
    infini.empty_cache()
    assert infini.memory_reserved() - infini.memory_allocated() < 16 * MIB


@pytest.mark.parametrize("size", [1 << 45, 1 << 58])
def test_out_of_memory(size):
    before = infini.memory_allocated()
    with pytest.raises(infini.OutOfMemoryError, match=r"(?i)tried to allocate"):
        torch.empty(size, dtype=torch.uint8, device="infini")
    assert infini.memory_allocated() == before
    assert torch.ones(2, device="infini").tolist() == [1, 1]


def test_snapshot():
    x = torch.empty(5 * MIB, dtype=torch.uint8, device="infini")
    segments = infini.memory_snapshot()
    holds = [
        (segment, block)
        for segment in segments
        for block in segment["blocks"]
        if block["address"] == x.data_ptr()
    ]
    assert len(holds) == 1
    segment, block = holds[0]
    assert block["state"] == "active_allocated"
    assert block["requested_size"] == 5 * MIB <= block["size"]
    assert segment["total_size"] >= segment["allocated_size"] >= block["size"]
    assert sum(s["total_size"] for s in segments) == infini.memory_reserved()
    from torch.cuda import _memory_viz

    text = _memory_viz.segsum({"segments": segments, "device_traces": []})
    assert "MiB" in text


def test_summary():
    x = torch.empty(3 * MIB, dtype=torch.uint8, device="infini")
    text = infini.memory_summary()
    assert "torch.infini memory of device 0" in text
    assert "allocated memory" in text
    assert "segments" in text
    assert "segments" not in infini.memory_summary(abbreviated=True).split("free in")[0]
    del x


def test_fraction():
    assert infini.get_per_process_memory_fraction() == 1.0
    infini.empty_cache()
    total = infini.mem_get_info()[1]
    try:
        infini.set_per_process_memory_fraction(0.01)
        assert infini.get_per_process_memory_fraction() == 0.01
        with pytest.raises(torch.OutOfMemoryError, match="set_per_process_memory"):
            torch.empty(total // 50, dtype=torch.uint8, device="infini")
        x = torch.empty(total // 200, dtype=torch.uint8, device="infini")
        del x
    finally:
        infini.set_per_process_memory_fraction(1.0)
    for wrong, error in ((2.0, ValueError), (-0.5, ValueError), (1, TypeError)):
        with pytest.raises(error, match="fraction"):
            infini.set_per_process_memory_fraction(wrong)


def test_before_the_start(run_python):
    code = """
import torch, torch_infini
assert torch.infini.memory_stats() == {}
assert torch.infini.memory_allocated() == torch.infini.max_memory_reserved() == 0
torch.infini.empty_cache()
assert not torch.infini.is_initialized()
"""
    run_python(code)
