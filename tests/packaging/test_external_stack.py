"""A build against installed libraries bundles nothing and records no path.

The installed stack is the embedded one, as `cmake --install` lays it out.
"""

import json
import os
import re
import zipfile

import pytest
from conftest import NO_INSTALLED
from environments import configure, create_environment, run
from test_installations import SMOKE, readelf, runpath

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def prefix(clone, wheel):
    """The embedded stack as an installed prefix, from the build of the wheel."""
    (build,) = (clone / "build").glob("cp*-embedded")
    folder = clone / "build" / "stack-prefix"
    run(["cmake", "--install", build, "--prefix", folder], cwd=clone)
    return folder


@pytest.fixture(scope="module")
def shadows(clone):
    """A folder with InfiniOps' generic root headers, which must hide nothing."""
    folder = clone / "build" / "shadows"
    folder.mkdir(exist_ok=True)
    for name in ("config.h", "device.h", "hash.h", "vector", "pybind11.h"):
        (folder / name).write_text(f'#error "{name} of InfiniOps was included"\n')
    return folder


@pytest.fixture(scope="module")
def external(clone, prefix, shadows, tmp_path_factory):
    """An environment with the wheel that was built against the prefix.

    Not optimised: how it is compiled does not matter here, and takes half the time.
    """
    environment = create_environment(tmp_path_factory.mktemp("external") / "venv")
    folder = tmp_path_factory.mktemp("external-wheel")
    environment.pip(
        "wheel",
        *NO_INSTALLED,
        "-w",
        folder,
        ".",
        cwd=clone,
        CMAKE_ARGS="-DCMAKE_CXX_FLAGS_RELEASE=-O0",
        INFINI_RT_PREFIX=str(prefix),
        INFINI_OPS_INCLUDE_DIRS=os.pathsep.join([str(shadows), f"{prefix}/include"]),
        INFINI_OPS_LIBRARY_DIRS=str(prefix / "lib"),
    )
    (wheel,) = folder.glob("*.whl")
    environment.pip("install", "--no-deps", "--ignore-installed", wheel, cwd="/")
    return environment, wheel


def extension_of(environment):
    (extension,) = (environment.site_packages / "torch_infini").glob("_C*.so")
    return extension


def test_nothing_is_bundled(external):
    with zipfile.ZipFile(external[1]) as archive:
        libraries = [n for n in archive.namelist() if re.search(r"\.so(\.|$)", n)]
        record = json.loads(archive.read("torch_infini/_build_info.json"))
    assert len(libraries) == 1
    assert libraries[0].startswith("torch_infini/_C")
    assert record["stack"] == "upstream"
    assert record["infinirt"] == "upstream"
    assert record["infiniops"] == "upstream"


def test_no_path_is_recorded(external, clone):
    extension = extension_of(external[0])
    assert runpath(extension) is None
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", extension))
    assert all("/" not in name for name in needed)
    assert needed.index("libinfiniops.so") < needed.index("libinfinirt.so")
    assert str(clone).encode() not in extension.read_bytes()


def test_the_loader_must_find_the_libraries(external, prefix):
    environment = external[0]
    result = environment.python_code("import torch_infini", "/", check=False)
    assert result.returncode == 1
    assert "ImportError" in result.stdout
    assert "libinfini" in result.stdout
    code = f"import runpy; runpy.run_path({str(SMOKE)!r}, run_name='__main__')"
    libraries = str(prefix / "lib")
    output = environment.python_code(code, "/", LD_LIBRARY_PATH=libraries).stdout
    assert ": ok" in output


@pytest.mark.parametrize(("half", "other"), [("RT", "OPS"), ("OPS", "RT")])
def test_one_half_from_outside(clone, prefix, half, other, tmp_path):
    """The other half is built here; the rule that links the extension tells."""
    build = tmp_path / "build"
    output = configure(clone, build, f"-DINFINI_{half}_PREFIX={prefix}").stdout
    names = {"RT": "InfiniRT", "OPS": "InfiniOps"}
    assert f"{names[half]}: upstream" in output
    assert f"{names[other]}: embedded" in output
    rules = (build / "build.ninja").read_text()
    rule = rules[rules.index("# Link the shared module csrc/_C") :]
    libraries = re.search(r"LINK_LIBRARIES = (.*)", rule)[1]
    assert f"-linfini{half.lower()}" in libraries
    assert f"embedded/{other.lower()}/libinfini{other.lower()}.so" in libraries
    record = json.loads((build / "_build_info.json").read_text())
    assert record["stack"] == "mixed"


def test_embedded_operators_on_another_runtime(clone, prefix, tmp_path):
    build = tmp_path / "build"
    options = ["-DINFINI_BUILD_PLUGIN=OFF", f"-DINFINI_RT_PREFIX={prefix}"]
    configure(clone, build, *options)
    run(["cmake", "--build", build, "--target", "infiniops", "-j", "2"], cwd=clone)
    library = build / "embedded" / "ops" / "libinfiniops.so"
    assert "[libinfinirt.so]" in readelf("-d", library)
    assert not list(build.rglob("libinfinirt.so"))
