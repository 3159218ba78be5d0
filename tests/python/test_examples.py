"""Every example runs, and the demo says so in its figures and its exit code."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch_infini  # noqa: F401

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SIMPLE = ["readme", "streams_and_events", "pinned_copies"]


def run(name, *arguments):
    return subprocess.run(
        [sys.executable, "-W", "error::UserWarning", EXAMPLES / f"{name}.py"]
        + [str(argument) for argument in arguments],
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_every_example_has_a_test():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {
        *SIMPLE,
        "demo",
        "llama_generate",
    }


@pytest.mark.parametrize("name", SIMPLE)
def test_example(name):
    result = run(name)
    assert result.returncode == 0, result.stderr
    assert "infini" in result.stdout


def test_llama_generate():
    """It learns the text's bytes and writes as many as it was asked for."""
    result = run("llama_generate", "--steps", 30, "--tokens", 20)
    assert result.returncode == 0, result.stderr
    losses = [float(x) for x in re.findall(r"loss ([\d.]+)", result.stdout)]
    assert len(losses) == 2
    assert losses[-1] < losses[0] < 5.5
    assert "The data set " in result.stdout
    assert "tokens/s on infini" in result.stdout


class TestDemo:
    def test_losses_are_equal_bit_for_bit(self, tmp_path):
        result = run("demo", "--epochs", 2, "--seed", 3, "--output", tmp_path)
        assert result.returncode == 0, result.stdout + result.stderr
        figures = json.loads((tmp_path / "digits.json").read_text())
        cpu, device = figures["runs"]
        assert cpu["device"] == "cpu"
        assert device["device"] == "infini:0"
        assert figures["steps"] == len(cpu["losses"]) == 60
        assert cpu["losses"] == device["losses"]
        assert cpu["losses"][-1] < cpu["losses"][0] / 2
        assert cpu["accuracy"][-1] == device["accuracy"][-1] > 0.8
        assert sum(torch.infini.fallback_counts().values()) == 0
        operators = {row["operator"]: row["provider"] for row in figures["operators"]}
        assert "aten::convolution_backward" in operators or any(
            "convolution_backward" in name for name in operators
        )
        assert (tmp_path / "digits.png").stat().st_size > 10_000

    @pytest.fixture
    def demo(self, monkeypatch):
        monkeypatch.syspath_prepend(EXAMPLES)
        return importlib.import_module("demo")

    def test_differing_losses_fail(self, demo, monkeypatch, tmp_path, capsys):
        step = demo.Trainer.step

        def step_with_an_error(self, images, labels):
            loss = step(self, images, labels)
            if self.device.type == "infini":
                self.losses[-1] = loss = loss + 2**-40
            return loss

        monkeypatch.setattr(demo.Trainer, "step", step_with_an_error)
        arguments = ["--epochs", "1", "--output", str(tmp_path)]
        assert demo.main(arguments) == 1
        assert "30 of 30 losses differ" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--device", "infini:256"], "index 256 is out of range"),
            (["--device", "cpu"], "Expected an infini device"),
            (["--device", "bogus"], "bogus"),
            (["--epochs", "0"], "positive"),
            (["--epochs", "x"], "invalid"),
        ],
    )
    def test_wrong_options(self, demo, capsys, arguments, message):
        with pytest.raises(SystemExit, match="2"):
            demo.main(arguments)
        assert message in capsys.readouterr().err

    def test_help(self, demo, capsys):
        with pytest.raises(SystemExit, match="0"):
            demo.main(["--help"])
        text = capsys.readouterr().out
        for option in ("--epochs", "--device", "--seed", "--output", "Exit code"):
            assert option in text
