"""The check of the build record, without any build."""

import importlib.util
import json
import sys

import pytest
import torch
from environments import ROOT

PATH = ROOT / "python" / "torch_infini" / "_compatibility.py"
GOOD = {
    "torch_infini": "0.1.0",
    "torch": "2.13.0+cpu",
    "torch_minor": "2.13",
    "cxx11_abi": True,
    "stack": "embedded",
    "infinirt": "embedded",
    "infiniops": "embedded",
}


def load():
    """Load the module by its path: importing the package would need a build."""
    spec = importlib.util.spec_from_file_location("compatibility_by_path", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


compatibility = load()


@pytest.fixture
def record(tmp_path):
    """A function that writes a record: GOOD with changes, or a raw text."""

    def write(text=None, **changes):
        path = tmp_path / "_build_info.json"
        path.write_text(text if text is not None else json.dumps(GOOD | changes))
        return path

    return write


@pytest.mark.parametrize(
    ("version", "minor"),
    [
        ("2.13.0", "2.13"),
        ("2.13", "2.13"),
        ("2.13.1", "2.13"),
        ("2.13.0+cpu", "2.13"),
        ("2.13.0+cu130", "2.13"),
        ("2.13.0+rocm7.1", "2.13"),
        ("2.13.0+cpu.cxx11.abi", "2.13"),
        ("2.13.0a0", "2.13"),
        ("2.13.0a0+gitd7d2f2d", "2.13"),
        ("2.13.0a0+ecf3bae40a.nv25.01", "2.13"),
        ("2.13.0b2", "2.13"),
        ("2.13.0rc1", "2.13"),
        ("2.13.0rc12+cpu", "2.13"),
        ("2.13.0alpha1", "2.13"),
        ("2.13.0.beta1", "2.13"),
        ("2.13.0.dev20260101", "2.13"),
        ("2.13.0.dev20260101+cu130", "2.13"),
        ("2.13.0.post3", "2.13"),
        ("2.13.0post3", "2.13"),
        ("2.13rc1", "2.13"),
        ("2.13a0+git1234567", "2.13"),
        ("2.13.0.1", "2.13"),
        ("2.1.0", "2.1"),
        ("2.130.0", "2.130"),
        ("10.2.3", "10.2"),
        ("02.013.0", "2.13"),
    ],
)
def test_minor_version(version, minor):
    assert compatibility.minor_version(version) == minor


@pytest.mark.parametrize(
    "version",
    [
        "",
        "2",
        "2.",
        ".13",
        "2.x",
        "two.thirteen",
        "v2.13.0",
        " 2.13.0",
        "2.13.0\n",
        "2.13.0 ",
        "2.13.0+",
        "2.13.0+cpu+cu130",
        "2.13.0-",
        "2.13.0 extra",
        "2.13.0gamma1",
        "-2.13.0",
        "2.-13",
        "\uff12.13.0",
        "2.13.0;import os",
    ],
)
def test_what_is_no_version(version):
    with pytest.raises(ValueError, match="is not a version number"):
        compatibility.minor_version(version)


@pytest.mark.parametrize(
    "running",
    [
        "2.13.0",
        "2.13.0+cpu",
        "2.13.0+cu130",
        "2.13.4",
        "2.13.0a0+git1",
        "2.13.0b1",
        "2.13.0rc3",
        "2.13.0.dev20260101",
    ],
)
@pytest.mark.parametrize("built", ["2.13.0+cpu", "2.13.2", "2.13.0rc1", "2.13.0a0+g1"])
def test_suffixes_and_patches_may_differ(record, built, running):
    path = record(torch=built)
    found = compatibility.check(path, torch_version=running, cxx11_abi=True)
    assert found.torch == built


@pytest.mark.parametrize(
    "running",
    ["2.12.0", "2.12.1+cpu", "2.14.0", "3.13.0", "1.13.0", "2.1.3", "2.130.0"],
)
def test_another_minor_version_is_refused(record, running):
    with pytest.raises(ImportError) as caught:
        compatibility.check(record(), torch_version=running, cxx11_abi=True)
    text = str(caught.value)
    assert "was built for PyTorch 2.13 (2.13.0+cpu, CXX11 ABI on)" in text
    assert f"PyTorch {running} (CXX11 ABI on) is running" in text
    assert "pip install --no-build-isolation --no-deps" in text


@pytest.mark.parametrize("built", [True, False])
def test_another_abi_is_refused(record, built):
    path = record(cxx11_abi=built)
    with pytest.raises(ImportError) as caught:
        compatibility.check(path, torch_version="2.13.0", cxx11_abi=not built)
    words = ("on", "off") if built else ("off", "on")
    assert f"2.13.0+cpu, CXX11 ABI {words[0]})" in str(caught.value)
    assert f"PyTorch 2.13.0 (CXX11 ABI {words[1]}) is running" in str(caught.value)


def test_a_running_version_that_is_none_is_refused(record):
    with pytest.raises(ImportError, match=r"PyTorch unknown .* is running"):
        compatibility.check(record(), torch_version="unknown", cxx11_abi=True)


def test_a_missing_record(tmp_path):
    with pytest.raises(ImportError) as caught:
        compatibility.check(tmp_path / "_build_info.json")
    assert "has no build record" in str(caught.value)
    assert "pip install --no-build-isolation --no-deps" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is not JSON"),
        ("{", "it is not JSON"),
        ("torch = 2.13", "it is not JSON"),
        ("[" * 100000, "it is not JSON"),
        ("[]", "it is not an object"),
        ("null", "it is not an object"),
        ('"2.13.0"', "it is not an object"),
        ("{}", "it lacks 'torch_infini'"),
    ],
)
def test_a_malformed_record(record, text, reason):
    with pytest.raises(ImportError, match=r"cannot be trusted") as caught:
        compatibility.check(record(text))
    assert reason in str(caught.value)
    assert "Rebuild torch-infini" in str(caught.value)


@pytest.mark.parametrize("key", sorted(GOOD))
def test_each_entry_is_needed(record, key):
    text = json.dumps({k: v for k, v in GOOD.items() if k != key})
    with pytest.raises(ImportError, match=f"it lacks '{key}'"):
        compatibility.check(record(text))


@pytest.mark.parametrize("key", sorted(GOOD))
@pytest.mark.parametrize("value", [None, 1, 2.13, [], {}, "flip"])
def test_each_entry_has_its_type(record, key, value):
    if value == "flip":
        value = "true" if key == "cxx11_abi" else True
    with pytest.raises(ImportError, match=f"'{key}' is .* should be a"):
        compatibility.check(record(**{key: value}))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"torch": "2.12.1"}, "'torch_minor' is '2.13' while 'torch' is '2.12.1'"),
        ({"torch_minor": "2.12"}, "'torch_minor' is '2.12' while 'torch' is"),
        ({"torch_minor": "2.13.0"}, "'torch_minor' is '2.13.0' while"),
        ({"torch": "newest"}, "'newest' is not a version number"),
        ({"infinirt": "other"}, "it names the stack"),
        ({"stack": "upstream"}, "'stack' is 'upstream' for"),
        ({"infiniops": "upstream"}, "'stack' is 'embedded' for"),
        ({"extra": "1"}, "unknown entry 'extra'"),
    ],
)
def test_a_record_that_contradicts_itself(record, changes, reason):
    with pytest.raises(ImportError) as caught:
        compatibility.check(record(**changes), torch_version="2.13.0", cxx11_abi=True)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("rt", "ops", "stack"),
    [
        ("embedded", "embedded", "embedded"),
        ("upstream", "upstream", "upstream"),
        ("embedded", "upstream", "mixed"),
        ("upstream", "embedded", "mixed"),
    ],
)
def test_each_stack_is_recorded(record, rt, ops, stack):
    path = record(infinirt=rt, infiniops=ops, stack=stack)
    found = compatibility.check(path, torch_version="2.13.0", cxx11_abi=True)
    assert found.stack == stack


def test_a_record_that_is_a_folder(tmp_path):
    (tmp_path / "_build_info.json").mkdir()
    with pytest.raises(ImportError, match="cannot be trusted"):
        compatibility.check(tmp_path / "_build_info.json")


def test_a_record_that_is_not_text(tmp_path):
    path = tmp_path / "_build_info.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ImportError, match="cannot be trusted"):
        compatibility.check(path)


def test_the_running_torch_is_the_default(record):
    minor = compatibility.minor_version(str(torch.__version__))
    abi = bool(torch.compiled_with_cxx11_abi())
    path = record(torch=f"{minor}.0", torch_minor=minor, cxx11_abi=abi)
    assert compatibility.check(path).torch_minor == minor
    with pytest.raises(ImportError, match="is running"):
        compatibility.check(record(torch="1.0.0", torch_minor="1.0", cxx11_abi=abi))
