"""torch.infini's memory statistics."""

import pickle

import pytest
import torch
import torch_infini  # noqa: F401
from torch.cuda import _memory_viz

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


class TestViewer:
    """torch.cuda._memory_viz, which draws what _snapshot gives."""

    @pytest.fixture
    def snapshot(self):
        self.x = torch.empty(5 * MIB, dtype=torch.uint8, device="infini")
        self.small = [torch.ones(100, device="infini") for _ in range(4)]
        yield infini.memory._snapshot()
        del self.x, self.small

    def test_tables(self, snapshot):
        assert "MiB" in _memory_viz.segsum(snapshot)
        assert "device" in _memory_viz.trace(snapshot) or not snapshot["device_traces"]

    def test_totals(self, snapshot):
        for segment in snapshot["segments"]:
            assert sum(b["size"] for b in segment["blocks"]) == segment["total_size"]
            used = [b for b in segment["blocks"] if b["state"] == "active_allocated"]
            assert sum(b["size"] for b in used) == segment["allocated_size"]
            assert all(b["requested_size"] <= b["size"] for b in used)
            end = segment["address"]
            for block in segment["blocks"]:
                assert block["address"] == end
                end += block["size"]
        total = sum(s["total_size"] for s in snapshot["segments"])
        assert total == infini.memory_reserved()

    @pytest.mark.parametrize("plot", ["segment_plot", "trace_plot"])
    def test_pages(self, snapshot, plot):
        page = getattr(_memory_viz, plot)(snapshot)
        assert "<script" in page
        assert len(page) > 1000

    def test_flame_graphs(self, snapshot):
        # Drawing needs a script from the net; these are the lines that it draws.
        def lines(text):
            return text

        text = _memory_viz.segments(snapshot, lines)
        assert "active_allocated" in text
        assert "active_allocated" in _memory_viz.memory(snapshot, lines)
        more = torch.empty(32 * MIB, dtype=torch.uint8, device="infini")
        later = infini.memory._snapshot()["segments"]
        changes = _memory_viz.compare(snapshot["segments"], later, lines)
        assert "only_after" in changes
        assert any(s["total_size"] >= more.nbytes for s in later)

    def test_a_file(self, tmp_path, snapshot):
        infini.memory._dump_snapshot(tmp_path / "snapshot.pickle")
        with open(tmp_path / "snapshot.pickle", "rb") as file:
            loaded = pickle.load(file)
        assert _memory_viz.segsum(loaded) == _memory_viz.segsum(snapshot)
        assert infini.memory._snapshot("infini:0")["segments"]


def test_snapshot_of_a_pool():
    assert infini.memory_snapshot(None, include_traces=False) is not None
    with pytest.raises(NotImplementedError, match=r"pool \(1, 2\) was asked for"):
        infini.memory_snapshot((1, 2))


def test_pinned_memory():
    infini.reset_peak_host_memory_stats()
    infini.reset_accumulated_host_memory_stats()
    base = infini.host_memory_stats()["active_bytes.current"]
    x = torch.ones(MIB, dtype=torch.uint8).pin_memory()
    stats = infini.host_memory_stats()
    assert list(stats) == sorted(stats)
    assert stats["active_bytes.current"] == base + MIB
    assert stats["active_requests.allocated"] == 1
    assert stats["allocated_bytes.current"] >= stats["active_bytes.current"]
    del x
    stats = infini.host_memory_stats_as_nested_dict()
    assert stats["active_bytes"]["current"] == base
    assert stats["active_bytes"]["peak"] >= MIB
    torch.accelerator.empty_host_cache()
    assert infini.host_memory_stats()["num_host_free"] > 0


def test_old_names_warn():
    for name, now in (
        ("memory_cached", infini.memory_reserved()),
        ("max_memory_cached", infini.max_memory_reserved()),
        ("reset_max_memory_allocated", None),
        ("reset_max_memory_cached", None),
    ):
        with pytest.warns(FutureWarning, match=f"torch.infini.{name}"):
            assert getattr(infini, name)() == now


class TestAccelerator:
    """torch.accelerator's part about memory, in full."""

    def test_numbers(self):
        x = torch.empty(3 * MIB, dtype=torch.uint8, device="infini")
        accelerator = torch.accelerator
        for device in (None, 0, "infini", "infini:0", torch.device("infini", 0)):
            assert accelerator.memory_allocated(device) == infini.memory_allocated()
            assert accelerator.memory_reserved(device) == infini.memory_reserved()
            peak = infini.max_memory_allocated()
            assert accelerator.max_memory_allocated(device) == peak
            peak = infini.max_memory_reserved()
            assert accelerator.max_memory_reserved(device) == peak
            assert accelerator.get_memory_info(device)[1] == infini.mem_get_info()[1]
        stats = accelerator.memory_stats()
        assert {k: stats[k] for k in infini.memory_stats()} == infini.memory_stats()
        del x

    def test_resets(self):
        x = torch.empty(8 * MIB, dtype=torch.uint8, device="infini")
        del x
        accelerator = torch.accelerator
        accelerator.reset_peak_memory_stats()
        assert accelerator.max_memory_allocated() == accelerator.memory_allocated()
        accelerator.reset_accumulated_memory_stats()
        assert accelerator.memory_stats()["allocated_bytes.all.allocated"] == 0
        assert accelerator.memory_stats()["num_ooms"] == 0

    def test_empty_cache(self):
        x = torch.empty(32 * MIB, dtype=torch.uint8, device="infini")
        del x
        assert torch.accelerator.memory_reserved() >= 32 * MIB
        torch.accelerator.empty_cache()
        assert torch.accelerator.memory_reserved() < 32 * MIB

    def test_before_the_start(self, run_python):
        run_python(
            """
import torch, torch_infini
assert torch.accelerator.memory_allocated() == 0
assert torch.accelerator.memory_stats() == {}
torch.accelerator.empty_cache()
"""
        )
