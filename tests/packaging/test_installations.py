"""Wheel, editable and in-place builds in three environments."""

import json
import subprocess
import time
import zipfile
from pathlib import Path

import pytest
import torch
from environments import ROOT, copy_repository, create_environment

pytestmark = pytest.mark.packaging

SMOKE = Path(__file__).with_name("smoke.py")
IMPORT = (
    "import torch_infini, pathlib; "
    "print(pathlib.Path(torch_infini.__file__).resolve().parent)"
)
RECORD = "_build_info.json"


@pytest.fixture(params=["root", "repository"])
def place(request, clone):
    return {"root": Path("/"), "repository": clone}[request.param]


@pytest.fixture
def falsified(installation):
    """A function that falsifies the record for the time of a test."""
    record = installation.package / RECORD
    original = record.read_text()

    def write(**changes):
        record.write_text(json.dumps(json.loads(original) | changes))

    yield write
    record.write_text(original)


def import_it(installation, place, check=True, first=""):
    return installation.environment.python_code(
        first + IMPORT, place, check, **installation.variables
    )


def test_import(installation, place):
    output = import_it(installation, place).stdout
    assert output.splitlines()[-1] == str(installation.package.resolve())


def test_import_after_torch(installation):
    output = import_it(installation, Path("/"), first="import torch; ").stdout
    assert output.splitlines()[-1] == str(installation.package.resolve())


def test_smoke(installation):
    python = installation.environment.python_code
    code = f"import runpy; runpy.run_path({str(SMOKE)!r}, run_name='__main__')"
    assert ": ok" in python(code, "/", **installation.variables).stdout


def test_the_record_tells_the_running_torch(installation):
    record = json.loads((installation.package / RECORD).read_text())
    assert record["torch"] == str(torch.__version__)
    assert record["torch_minor"] == ".".join(record["torch"].split(".")[:2])
    assert record["cxx11_abi"] is bool(torch.compiled_with_cxx11_abi())
    assert record["stack"] == "embedded"


def test_another_torch(installation, place, falsified):
    falsified(torch="2.11.0", torch_minor="2.11")
    result = import_it(installation, place, check=False)
    assert result.returncode == 1
    error = result.stdout.splitlines()[-1]
    assert error.startswith("ImportError: torch_infini")
    assert "was built for PyTorch 2.11 (2.11.0, CXX11 ABI" in error
    assert "is running. Rebuild torch-infini" in error


def test_another_abi(installation, falsified):
    record = json.loads((installation.package / RECORD).read_text())
    falsified(cxx11_abi=not record["cxx11_abi"])
    result = import_it(installation, Path("/"), check=False)
    assert result.returncode == 1
    assert "ImportError: torch_infini" in result.stdout
    assert "CXX11 ABI off" in result.stdout
    assert "CXX11 ABI on" in result.stdout


def test_a_record_that_contradicts_itself(installation, falsified):
    falsified(torch_minor="2.11")
    result = import_it(installation, Path("/"), check=False)
    assert result.returncode == 1
    assert "cannot be trusted" in result.stdout.splitlines()[-1]


def test_no_record(installation, falsified):
    (installation.package / RECORD).unlink()
    result = import_it(installation, Path("/"), check=False)
    assert result.returncode == 1
    assert "ImportError: torch_infini has no build record" in result.stdout


def test_nothing_is_registered_before_the_check(installation, falsified):
    falsified(torch="2.11.0", torch_minor="2.11")
    code = (
        "import os; os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD'] = '0'\n"
        "import torch\n"
        "try:\n"
        "    import torch_infini\n"
        "except ImportError:\n"
        "    print(torch._C._get_privateuse1_backend_name())\n"
        "    print(hasattr(torch, 'infini'))\n"
        "    print(any('torch_infini/_C' in line for line in open('/proc/self/maps')))"
    )
    result = installation.environment.python_code(code, "/", **installation.variables)
    assert result.stdout.split() == ["privateuseone", "False", "False"]


def test_wheel_contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    inside = {n for n in names if n.startswith("torch_infini/")}
    info = {n for n in names if ".dist-info/" in n}
    assert names == inside | info
    libraries = {n for n in inside if n.startswith("torch_infini/lib/")}
    assert libraries == {
        "torch_infini/lib/libinfinirt.so",
        "torch_infini/lib/libinfiniops.so",
        "torch_infini/lib/libscipy_openblas.so",
        "torch_infini/lib/LICENSE.scipy-openblas32.txt",
    }
    extensions = {n for n in inside if n.startswith("torch_infini/_C")}
    assert len([n for n in extensions if n.endswith(".so")]) == 1
    assert "torch_infini/_build_info.json" in inside
    assert any(n.endswith("licenses/LICENSE") for n in info)
    assert any(n.endswith("entry_points.txt") for n in info)
    python = {p.name for p in (ROOT / "python" / "torch_infini").glob("*.py")}
    assert {n.rpartition("/")[2] for n in inside if n.endswith(".py")} >= python
    assert "-linux_x86_64.whl" in wheel.name or "linux" in wheel.name
    assert "-py3-none-" not in wheel.name


def test_wheel_is_stripped_and_relocatable(wheel_installation, clone):
    package = wheel_installation.package
    (extension,) = package.glob("_C*.so")
    assert runpath(extension) == "$ORIGIN/lib"
    for name in ("libinfinirt.so", "libinfiniops.so"):
        assert runpath(package / "lib" / name) == "$ORIGIN"
    for path in [extension, *package.glob("lib/libinfini*.so")]:
        sections = readelf("-S", path)
        assert ".symtab" not in sections
        assert ".debug_info" not in sections
        content = path.read_bytes()
        for folder in (clone, Path.home(), ROOT):
            assert f"{folder}/".encode() not in content, f"{path} names {folder}"


def test_a_second_build_takes_seconds(clone, wheel, in_place_installation):
    python = in_place_installation.environment.python
    start = time.monotonic()
    output = subprocess.run(
        [python, "setup.py", "build_ext", "--inplace"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "ninja: no work to do" in output
    assert time.monotonic() - start < 30


def test_an_unbuilt_clone_is_no_package(tmp_path):
    unbuilt = copy_repository(tmp_path / "clone")
    environment = create_environment(tmp_path / "venv", with_torch=False)
    result = environment.python_code("import torch_infini", unbuilt, check=False)
    assert result.returncode == 1
    assert "ModuleNotFoundError: No module named 'torch_infini'" in result.stdout


def readelf(option, path):
    return subprocess.run(
        ["readelf", "-W", option, path], check=True, capture_output=True, text=True
    ).stdout


def runpath(path):
    lines = [line for line in readelf("-d", path).splitlines() if "PATH)" in line]
    assert len(lines) <= 1
    return lines[0].rpartition("[")[2].rstrip("]") if lines else None
