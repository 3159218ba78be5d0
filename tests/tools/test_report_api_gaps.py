"""tools/report_api_gaps.py: profiles, the torch.cuda surface, reports, exit status."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "report_api_gaps.py"
SHIPPED = ROOT / "tests" / "conformance" / "api_profile.json"
sys.path.insert(0, str(ROOT / "tools"))

from api_gaps import compare, profile, render, surface  # noqa: E402

HEAD = {
    "version": 1,
    "pytorch": "2.13",
    "reference": "torch.cuda",
    "candidate": "torch.infini",
    "package": "torch_infini",
}


def profile_text(symbols=({"name": "Event", "class": "required"},), **changes):
    data = {**HEAD, "symbols": list(symbols), **changes}
    return json.dumps({k: v for k, v in data.items() if v is not None})


def fake_package(folder: Path, body: str) -> Path:
    package = folder / "torch_infini"
    package.mkdir()
    (package / "__init__.py").write_text(textwrap.dedent(body))
    return folder


FAKE = """
    import sys, types, torch
    module = types.ModuleType("torch.infini")
    module.device_count = lambda: 1
    module.set_device = 3
    class Stream:
        def query(self): ...
        native_handle = 7
    module.Stream = Stream
    module.operators = lambda: {}
    torch.infini = sys.modules["torch.infini"] = module
"""


def run_tool(*arguments, package: Path | None = None, cwd=None):
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    environment["PYTHONPATH"] = str(package) if package else ""
    return subprocess.run(
        [sys.executable, str(TOOL), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
        timeout=300,
        check=False,
    )


MALFORMED = [
    ("", "line 1, column 1: not JSON"),
    ("{", "not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ("[]", "profile: expected an object, found list"),
    ('{"version": 1, "version": 1}', "key 'version' appears twice"),
    (profile_text(version=None), "profile: missing key 'version'"),
    (profile_text(version="1"), "version: expected a whole number"),
    (profile_text(version=True), "version: expected a whole number"),
    (profile_text(version=2), "version: 2 is not supported; this tool reads 1"),
    (profile_text(pytorch=2.13), "pytorch: expected a string, found float"),
    (profile_text(reference=""), "reference: expected a text"),
    (profile_text(candidate="torch infini"), "candidate: 'torch infini' is not"),
    (profile_text(package=None), "profile: missing key 'package'"),
    (profile_text(extra=1), "profile: unknown key 'extra'"),
    (json.dumps(HEAD), "profile: missing key 'symbols'"),
    (profile_text(symbols=[]), "symbols: the list is empty"),
    (json.dumps({**HEAD, "symbols": {}}), "symbols: expected a list, found dict"),
    (profile_text(["Event"]), "symbols[0]: expected an object, found str"),
    (profile_text([{"class": "required"}]), "symbols[0]: missing key 'name'"),
    (profile_text([{"name": "a"}]), "symbols[0]: missing key 'class'"),
    (
        profile_text([{"name": 3, "class": "required"}]),
        "symbols[0].name: expected a string, found int",
    ),
    (
        profile_text([{"name": "a..b", "class": "required"}]),
        "symbols[0].name: 'a..b' is not a dotted Python name",
    ),
    (
        profile_text([{"name": "a", "class": "needed"}]),
        "symbols[0] ('a').class: unknown class 'needed'; known are required, planned",
    ),
    (
        profile_text([{"name": "a", "class": "unclassified"}]),
        "unknown class 'unclassified'",
    ),
    (
        profile_text([{"name": "a", "class": ["required"]}]),
        "symbols[0] ('a').class: expected a string, found list",
    ),
    (
        profile_text([{"name": "a", "class": "excluded"}]),
        "symbols[0] ('a'): an excluded symbol needs a reason",
    ),
    (
        profile_text([{"name": "a", "class": "excluded", "reason": "  "}]),
        "symbols[0] ('a').reason: expected a text",
    ),
    (
        profile_text([{"name": "a", "class": "excluded", "reason": "x", "as": "b"}]),
        "symbols[0] ('a'): an excluded symbol has no other spelling",
    ),
    (
        profile_text([{"name": "a", "class": "planned", "as": "1b"}]),
        "symbols[0] ('a').as: '1b' is not a dotted Python name",
    ),
    (
        profile_text([{"name": "a", "class": "planned", "why": "x"}]),
        "symbols[0]: unknown key 'why'; known are as, class, name, reason",
    ),
    (
        profile_text([{"name": n, "class": "planned"} for n in ("a", "b", "a")]),
        "symbols[2]: 'a' is already classified at symbols[0]",
    ),
    (
        profile_text(additions=[{"name": "a"}]),
        "additions[0]: missing key 'reason'",
    ),
    (
        profile_text(additions=[{"name": "a", "reason": "x"}] * 2),
        "additions[1]: 'a' is already classified at additions[0]",
    ),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_profile_names_the_place(text, message):
    with pytest.raises(profile.ProfileError) as caught:
        profile.parse_profile(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (profile_text([{"name": "a", "class": "x"}]).encode(), "symbols[0] ('a')"),
    ],
)
def test_invalid_profile_exits_2_and_names_the_file(tmp_path, content, message):
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_bytes(content)
    markdown = tmp_path / "out.md"
    done = run_tool("--profile", path, "--markdown", markdown)
    assert done.returncode == 2
    assert "error: invalid profile: " in done.stderr
    assert str(path) in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not markdown.exists()


def test_candidate_that_cannot_be_imported_fails_the_report(tmp_path):
    folder = fake_package(tmp_path, "raise ImportError('libinfinirt.so: not found')")
    output = tmp_path / "out.json"
    done = run_tool("--profile", SHIPPED, "--json", output, package=folder)
    assert done.returncode == 1
    assert "error: no report: cannot import torch_infini" in done.stderr
    assert "ImportError: libinfinirt.so: not found" in done.stderr
    assert not output.exists()


def test_package_that_registers_nothing_fails_the_report(tmp_path):
    done = run_tool("--profile", SHIPPED, package=fake_package(tmp_path, ""))
    assert done.returncode == 1
    assert "has no attribute 'infini'" in done.stderr


def test_unknown_reference_fails_the_report(tmp_path):
    path = tmp_path / "profile.json"
    path.write_text(profile_text(reference="torch.nosuch"))
    done = run_tool("--profile", path)
    assert done.returncode == 1
    assert "error: no report: cannot look at torch.nosuch" in done.stderr


def test_output_that_cannot_be_written_fails_the_report(tmp_path):
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "out.md"
    folder = fake_package(tmp_path, FAKE)
    done = run_tool("--profile", SHIPPED, "--markdown", target, package=folder)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


def test_gaps_do_not_fail_and_output_is_deterministic(tmp_path):
    folder = fake_package(tmp_path, FAKE)
    outputs = []
    for run in ("first", "second"):
        markdown, data = tmp_path / run / "gaps.md", tmp_path / run / "gaps.json"
        done = run_tool(
            "--profile", SHIPPED, "--markdown", markdown, "--json", data, package=folder
        )
        assert done.returncode == 0, done.stderr
        assert "required missing" in done.stderr
        outputs.append((markdown.read_bytes(), data.read_bytes(), done.stdout))
    assert outputs[0] == outputs[1]
    data = json.loads(outputs[0][1])
    status = {row["name"]: row["status"] for row in data["symbols"]}
    assert status["device_count"] == "present"
    assert status["set_device"] == "not callable"
    assert status["Stream.query"] == "present"
    assert status["Stream.cuda_stream"] == "present"
    assert status["synchronize"] == "missing"
    assert {"set_device", "synchronize"} <= set(data["missing_required"])
    assert "device_count" not in data["missing_required"]
    assert "set_numerics" in data["missing_required"]
    assert "operators" not in data["missing_required"]


def test_markdown_has_every_section(tmp_path):
    symbols = [
        {"name": "device_count", "class": "required"},
        {"name": "nccl", "class": "excluded", "reason": "a | b"},
        {"name": "no_such_symbol", "class": "planned"},
    ]
    path = tmp_path / "profile.json"
    path.write_text(profile_text(symbols))
    target = tmp_path / "out.md"
    folder = fake_package(tmp_path, FAKE)
    done = run_tool("--profile", path, "--markdown", target, package=folder)
    assert done.returncode == 0, done.stderr
    text = target.read_text()
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "## Missing required symbols",
        "## Required",
        "## Planned",
        "## Excluded",
        "## Unclassified",
        "## Only in torch.infini",
        "## In the profile, not in this PyTorch",
    ]
    assert "| `nccl` | module | missing | a \\| b |" in text
    assert "| `no_such_symbol` |" in text.split("not in this PyTorch")[1]
    assert "| `Event` | class | missing |  |" in text.split("## Unclassified")[1]


def test_help_teaches():
    done = run_tool("--help")
    assert done.returncode == 0
    for word in ("--profile", "--markdown", "--json", "exit status", "example:"):
        assert word in done.stdout
    assert run_tool().returncode == 2


def test_surface_holds_what_torch_cuda_documents():
    names = surface.collect_surface("torch.cuda")
    import torch

    assert set(torch.cuda.__all__) <= names.keys()
    expected = {
        "Stream.wait_event": "function",
        "Stream.priority_range": "function",
        "Event.elapsed_time": "function",
        "OutOfMemoryError": "class",
        "memory.memory_allocated": "function",
        "nvtx.range_push": "function",
        "amp.GradScaler": "class",
        "default_generators": "data",
        "tunable": "module",
    }
    assert expected.items() <= names.items()
    assert list(names) == sorted(names)
    assert not [n for n in names if any(p.startswith("_") for p in n.split("."))]
    assert "torch" not in names
    assert "os" not in names


def test_surface_expands_a_class_once():
    names = surface.collect_surface("torch.cuda")
    assert "streams.Stream" in names
    assert "streams.Stream.query" not in names


def test_members_follow_a_renamed_class():
    symbols = [
        {"name": "CUDAGraph", "class": "planned", "as": "Graph"},
        {"name": "CUDAGraph.replay", "class": "planned"},
    ]
    parsed = profile.parse_profile(profile_text(symbols))
    assert parsed.candidate_name("CUDAGraph.replay") == "Graph.replay"
    assert parsed.candidate_name("Stream.query") == "Stream.query"


def test_summary_counts_and_shares():
    parsed = profile.parse_profile(
        profile_text(
            [
                {"name": "a", "class": "required"},
                {"name": "b", "class": "planned"},
                {"name": "c", "class": "excluded", "reason": "r"},
            ]
        )
    )
    kinds = {"a": "function", "a.x": "function", "b": "class", "c": "function"}
    kinds |= {"d": "function", "e": "data"}
    report = compare.build_report(parsed, kinds, type("M", (), {"a": len, "e": 1}))
    summary = compare.summarise(report)
    assert summary["surface"] == 6
    assert summary["public_callables"] == {
        "total": 4,
        "required_or_planned": 2,
        "percent_required_or_planned": 50.0,
        "present": 1,
        "percent_present": 25.0,
    }
    assert summary["classes"]["required"]["percent_present"] == 100.0
    assert summary["classes"]["unclassified"]["symbols"] == 3
    assert json.loads(render.to_json(report))["unclassified"] == ["a.x", "d", "e"]


def test_write_file_keeps_the_old_file_when_it_fails(tmp_path, monkeypatch):
    target = tmp_path / "report.md"
    target.write_text("old")

    def refuse(self, other):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(compare.ReportError, match="disk full"):
        render.write_file(target, "new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
