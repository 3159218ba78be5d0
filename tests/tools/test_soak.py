"""tools/soak.py measures what it says."""

import json
import mmap
import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import soak


@pytest.mark.parametrize("device", ["infini", "cpu"])
def test_a_short_run(device):
    report = soak.soak(device, minutes=0.05, warm_up=0.5)
    assert report.steps > 0
    assert report.steps_per_second > 0
    assert report.faults_in_first_second > 0
    assert report.first_mb > 50
    if device == "infini":
        assert report.reserved_over_peak >= 1
        assert report.peak_mb == pytest.approx(
            torch.infini.max_memory_allocated() / soak.MB
        )
    else:
        assert report.reserved_over_peak is None


def test_the_slope():
    samples = soak.Samples()
    assert samples.slope() == 0
    for second in range(10):
        samples.seconds.append(float(second))
        samples.megabytes.append(100 + 2.0 * second)
    assert samples.slope() == pytest.approx(120)


def test_resident_memory_and_page_faults():
    before, faults = soak.resident_bytes(), soak.page_faults()
    with mmap.mmap(-1, 40 << 20) as memory:
        for page in range(0, len(memory), soak.PAGE):
            memory[page] = 1
        assert soak.resident_bytes() - before > 30 << 20
    assert soak.page_faults() > faults


def test_the_report(monkeypatch, capsys, tmp_path):
    path = tmp_path / "report.json"
    arguments = ["soak.py", "--minutes", "0.03", "--warm-up", "0.5"]
    monkeypatch.setattr("sys.argv", [*arguments, "--json", str(path)])
    monkeypatch.setattr(soak, "BATCHES", (1,))
    assert soak.main() == 0
    out = capsys.readouterr().out
    assert "slope_mb_per_minute" in out
    assert json.loads(path.read_text())["device"] == "infini"
