"""Damaged installations, foreign libraries, wrong environment variables."""

import os
import shutil
from pathlib import Path

import pytest
import torch_infini

PACKAGE = Path(torch_infini.__file__).parent
LIBRARIES = "It needs libinfiniops.so and libinfinirt.so of the build"
IMPORT = """
import sys
sys.path.insert(0, {path!r})
import torch
try:
    import torch_infini
except Exception as error:
    print(type(error).__name__, error)
print(torch._C._get_privateuse1_backend_name(), hasattr(torch, "infini"))
print((torch.ones(2) + 1).tolist())
"""
UNTOUCHED = "privateuseone False\n[2.0, 2.0]\n"


@pytest.fixture
def package(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "torch_infini", ignore=ignored)
    return tmp_path / "torch_infini"


@pytest.fixture
def import_fails(run_python):
    """Imports a copy, which must fail and leave PyTorch as it was."""

    def run(path: Path, text: str, error="ImportError", **environment) -> None:
        values = {"TORCH_DEVICE_BACKEND_AUTOLOAD": 0, "LD_LIBRARY_PATH": "<unset>"}
        result = run_python(IMPORT.format(path=str(path)), **(values | environment))
        assert result.stdout.startswith(f"{error} "), result.stdout + result.stderr
        assert text in result.stdout
        assert result.stdout.endswith(UNTOUCHED)

    return run


@pytest.mark.needs("embedded")
@pytest.mark.parametrize("name", ["libinfinirt.so", "libinfiniops.so"])
def test_missing_library(package, import_fails, name):
    (package / "lib" / name).unlink()
    import_fails(package.parent, f"{name}: cannot open shared object file")
    import_fails(package.parent, LIBRARIES)


@pytest.mark.needs("embedded")
def test_empty_library(package, import_fails):
    (package / "lib" / "libinfiniops.so").write_bytes(b"")
    import_fails(package.parent, "libinfiniops.so: file too short")


@pytest.mark.needs("embedded")
@pytest.mark.parametrize(
    "name", ["lib/libinfinirt.so", "lib/libinfiniops.so", "_C*.so"]
)
def test_truncated_library(package, import_fails, name):
    (path,) = package.glob(name)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    import_fails(package.parent, "truncated")


def test_no_extension(package, import_fails):
    for path in package.glob("_C*.so"):
        path.unlink()
    import_fails(package.parent, "has no native extension for this Python")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is not JSON"),
        ("[]", "it is not an object"),
        ("{}", "it lacks 'torch_infini'"),
        (None, "has no build record"),
    ],
)
def test_build_record(package, import_fails, text, reason):
    record = package / "_build_info.json"
    record.unlink()
    if text is not None:
        record.write_text(text)
    import_fails(package.parent, reason)


def test_build_record_of_another_pytorch(package, import_fails):
    record = package / "_build_info.json"
    text = record.read_text()
    record.write_text(text.replace("2.13", "2.7").replace("2.12", "2.7"))
    import_fails(package.parent, "was built for PyTorch 2.7 (2.7")


def test_foreign_library_on_the_library_path(tmp_path, import_fails):
    (tmp_path / "libinfinirt.so").write_bytes(b"not a library at all, but long enough")
    import_fails(PACKAGE.parent, LIBRARIES, LD_LIBRARY_PATH=tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "error", "text"),
    [
        ("INFINI_BACKEND", "gpu", "RuntimeError", "INFINI_BACKEND is 'gpu', but the"),
        (
            "INFINI_BACKEND",
            "CPU",
            "RuntimeError",
            "Set it to one of these",
        ),
        ("INFINI_FALLBACK", "yes", "ValueError", "expected one of: off, warn, on"),
        ("INFINI_NUMERICS", "fastest", "ValueError", "expected one of: exact, fast"),
    ],
)
def test_wrong_environment_variable(import_fails, variable, value, error, text):
    libraries = os.environ.get("LD_LIBRARY_PATH", "<unset>")
    values = {variable: value, "LD_LIBRARY_PATH": libraries}
    import_fails(PACKAGE.parent, text, error=error, **values)


def test_slot_taken_by_another_backend(run_python):
    code = """
import torch
torch.utils.rename_privateuse1_backend("other")
try:
    import torch_infini
except RuntimeError as error:
    print(error)
print((torch.ones(2) + 1).tolist())
"""
    result = run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)
    assert "has already registered the PrivateUse1 backend 'other'" in result.stdout
    assert result.stdout.endswith("[2.0, 2.0]\n")
