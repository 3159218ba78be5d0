"""Importing the package: order, autoload, repetition, refusal."""

import importlib.metadata
import shutil
from pathlib import Path

import pytest
import torch_infini

PACKAGE = Path(torch_infini.__file__).parent

WORKS = """
import torch
assert torch.device("infini", 0).type == "infini"
assert torch.infini.device_count() >= 1
x = torch.ones(4, device="infini")
assert torch.add(x, x).tolist() == [2.0] * 4
"""


@pytest.fixture
def autoload_path(tmp_path, monkeypatch):
    """Makes the entry point visible also where the package is not installed."""
    points = importlib.metadata.entry_points(group="torch.backends")
    if any(point.value == "torch_infini:_autoload" for point in points):
        return
    record = tmp_path / "torch_infini-0.0.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: torch-infini\nVersion: 0.0.0\n"
    )
    (record / "entry_points.txt").write_text(
        "[torch.backends]\ntorch_infini = torch_infini:_autoload\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{PACKAGE.parent}")


@pytest.mark.usefixtures("autoload_path")
class TestOrder:
    @pytest.mark.parametrize("autoload", [0, 1])
    @pytest.mark.parametrize(
        "imports",
        ["import torch, torch_infini", "import torch_infini, torch"],
        ids=["torch first", "torch_infini first"],
    )
    def test_either_order(self, run_python, imports, autoload):
        run_python(imports + WORKS, TORCH_DEVICE_BACKEND_AUTOLOAD=autoload)

    def test_torch_alone_loads_the_backend(self, run_python):
        run_python(WORKS, TORCH_DEVICE_BACKEND_AUTOLOAD=1)

    def test_autoload_can_be_turned_off(self, run_python):
        code = """
import sys, torch
assert "torch_infini" not in sys.modules
assert not hasattr(torch, "infini")
assert torch._C._get_privateuse1_backend_name() == "privateuseone"
"""
        run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)

    @pytest.mark.parametrize("first", ["torch", "torch_infini"])
    def test_from_import_of_a_submodule_first(self, run_python, first):
        code = f"import {first}\nfrom torch_infini.infini import streams\n" + WORKS
        run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=1)


class TestAgain:
    def test_twice(self, run_python):
        run_python("import torch_infini\nimport torch_infini" + WORKS)

    def test_reload_keeps_module_and_methods(self, run_python):
        code = """
import importlib, torch, torch_infini
before, method = torch.infini, torch.Tensor.infini
stream = torch.infini.current_stream()
for _ in range(3):
    importlib.reload(torch_infini)
assert torch.infini is before
assert torch.Tensor.infini is method
assert torch.infini.current_stream() == stream
"""
        run_python(code + WORKS)

    def test_torch_sees_one_module_by_two_names(self, run_python):
        code = """
import torch_infini, torch
import torch.infini.streams, torch.infini.random, torch.infini.memory
assert torch.infini is torch_infini.infini
assert torch.infini.streams.Stream is torch.infini.Stream
assert torch.infini.random is torch_infini.infini.random
assert torch.infini.memory is torch_infini.infini.memory
assert torch.get_device_module("infini") is torch.infini
"""
        run_python(code)


class TestCost:
    def test_imports_nothing_heavy_and_starts_nothing(
        self, run_python, record_property
    ):
        code = """
import sys, time, torch
before, begin = set(sys.modules), time.perf_counter()
import torch_infini
print(1e3 * (time.perf_counter() - begin))
from torch_infini import _C
new = {name.partition(".")[0] for name in set(sys.modules) - before}
assert new <= {"torch_infini", "torch"}, new
assert not _C.is_initialized() and not torch.infini.is_initialized()
"""
        times = []
        for _ in range(3):
            result = run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)
            times.append(float(result.stdout))
        record_property("import_ms", times)
        print(f"import torch_infini after torch: {min(times):.1f} ms at best of 3")


class TestRefusal:
    def test_slot_taken_by_another_backend(self, run_python):
        code = """
import sys, torch
torch.utils.rename_privateuse1_backend("other")
try:
    import torch_infini
except RuntimeError as error:
    assert "'other'" in str(error), error
    assert "AUTOLOAD" in str(error), error
else:
    raise AssertionError("imported")
assert torch._C._get_privateuse1_backend_name() == "other"
assert "torch_infini._C" not in sys.modules
assert not hasattr(torch, "infini")
"""
        run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)

    def test_torch_infini_taken_by_another_module(self, run_python):
        code = """
import sys, types, torch
torch.utils.rename_privateuse1_backend("infini")
torch._register_device_module("infini", types.ModuleType("impostor"))
try:
    import torch_infini
except RuntimeError as error:
    assert "impostor" in str(error), error
else:
    raise AssertionError("imported")
assert "torch_infini._C" not in sys.modules
"""
        run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)

    def test_slot_already_named_infini_is_fine(self, run_python):
        code = """
import torch
torch.utils.rename_privateuse1_backend("infini")
import torch_infini
"""
        run_python(code + WORKS, TORCH_DEVICE_BACKEND_AUTOLOAD=0)

    def test_other_pytorch_is_refused_before_anything_is_registered(self, run_python):
        code = """
import sys, torch
torch.__version__ = "1.0.0"
try:
    import torch_infini
except ImportError as error:
    assert "1.0.0" in str(error), error
else:
    raise AssertionError("imported")
assert torch._C._get_privateuse1_backend_name() == "privateuseone"
assert "torch_infini._C" not in sys.modules
assert not hasattr(torch, "infini")
"""
        run_python(code, TORCH_DEVICE_BACKEND_AUTOLOAD=0)


EXPECT_IMPORT_ERROR = """
import torch
try:
    import torch_infini
except ImportError as error:
    print(error)
else:
    raise AssertionError(f"imported {torch_infini.__file__}")
assert torch._C._get_privateuse1_backend_name() == "privateuseone"
assert not hasattr(torch, "infini")
"""


class TestBroken:
    """Copies of the package with a part missing."""

    @pytest.fixture
    def copy(self, tmp_path):
        shutil.copytree(
            PACKAGE,
            tmp_path / "torch_infini",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        return tmp_path / "torch_infini"

    def import_copy(self, run_python, copy):
        # The copy comes first on the path, before an editable install's finder.
        result = run_python(
            f"import sys; sys.path.insert(0, {str(copy.parent)!r})"
            + EXPECT_IMPORT_ERROR,
            TORCH_DEVICE_BACKEND_AUTOLOAD=0,
            LD_LIBRARY_PATH="<unset>",
        )
        return result.stdout

    def test_no_extension(self, run_python, copy):
        for path in copy.glob("_C*.so"):
            path.unlink()
        message = self.import_copy(run_python, copy)
        assert "no native extension" in message
        assert "pip install --no-build-isolation" in message

    @pytest.mark.needs("embedded")
    @pytest.mark.parametrize("library", ["libinfinirt.so", "libinfiniops.so"])
    def test_missing_library_is_named(self, run_python, copy, library):
        files = list((copy / "lib").glob(f"{library}*"))
        assert files
        for path in files:
            path.unlink()
        message = self.import_copy(run_python, copy)
        assert f"{library}" in message
        assert "cannot open shared object file" in message
        assert "LD_LIBRARY_PATH" in message
        assert "reinstall" in message

    def test_damaged_extension(self, run_python, copy):
        for path in copy.glob("_C*.so"):
            path.write_bytes(b"not a library")
        message = self.import_copy(run_python, copy)
        assert "cannot load its native extension" in message
        assert "reinstall" in message
