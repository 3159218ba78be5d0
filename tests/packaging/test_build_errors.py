"""A build that lacks something says what, and which command brings it."""

import os
import shutil
import sys

import pytest
from environments import ROOT, configure, copy_repository, create_environment, run

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return copy_repository(tmp_path_factory.mktemp("errors") / "clone")


@pytest.fixture
def build(sources, tmp_path):
    """A function that starts an in-place build which must fail; its output."""

    def start(python=sys.executable, **variables):
        variables.setdefault("INFINI_BUILD_DIR", str(tmp_path / "build"))
        command = [python, "setup.py", "-q", "build_ext", "--inplace"]
        result = run(command, sources, check=False, **variables)
        assert result.returncode != 0
        assert "Traceback" not in result.stdout
        return result.stdout

    return start


def tools_folder(folder, *names):
    """A PATH that holds only the named programs."""
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(shutil.which(name))
    return str(folder)


def test_pip_with_isolation_names_the_flag(sources, tmp_path):
    """Build isolation hides PyTorch; setuptools is all that it installs."""
    environment = create_environment(tmp_path / "venv")
    command = [environment.python, "-m", "pip", "wheel", "--no-deps", "."]
    result = run([*command, "-w", tmp_path], sources, check=False)
    assert result.returncode != 0
    assert "pip install --no-build-isolation --no-deps ." in result.stdout
    assert "pip install torch" in result.stdout
    assert not list(tmp_path.glob("*.whl"))


def test_pip_without_torch_names_the_flag(sources, tmp_path):
    """An environment with the build tools, where PyTorch cannot be imported."""
    broken = tmp_path / "broken" / "torch"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('broken on purpose')")
    environment = create_environment(tmp_path / "venv")
    result = environment.pip(
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "-w",
        tmp_path,
        ".",
        cwd=sources,
        check=False,
        PYTHONPATH=str(broken.parent),
    )
    assert result.returncode != 0
    assert "broken on purpose" in result.stdout
    assert "pip install --no-build-isolation --no-deps ." in result.stdout


def test_no_cmake_and_no_ninja(build, tmp_path):
    environment = create_environment(tmp_path / "venv")
    path = tools_folder(tmp_path / "bin", "c++")
    output = build(environment.python, PATH=path)
    assert "cmake and ninja not found" in output
    assert "-m pip install cmake ninja" in output


def test_no_compiler(build):
    output = build(CXX="no-such-compiler")
    assert "the C++ compiler 'no-such-compiler' is not found" in output
    assert "sudo apt-get install g++" in output


def test_no_openblas(build, tmp_path):
    broken = tmp_path / "broken" / "scipy_openblas32"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('no openblas')")
    output = build(PYTHONPATH=str(broken.parent))
    assert "pip install scipy-openblas32" in output


@pytest.mark.parametrize("jobs", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_of_jobs(build, jobs):
    assert f"MAX_JOBS is '{jobs}'; it must be a positive number" in build(MAX_JOBS=jobs)


def configuration_error(sources, tmp_path, *options):
    build = tmp_path / "build"
    options = ["-DINFINI_BUILD_PLUGIN=OFF", *options]
    result = configure(sources, build, *options, check=False)
    assert result.returncode != 0
    return " ".join(result.stdout.split())


@pytest.mark.parametrize("half", ["RT", "OPS"])
def test_a_prefix_that_is_not_there(sources, half, tmp_path):
    name = f"INFINI_{half}_PREFIX"
    missing = tmp_path / "missing"
    output = configuration_error(sources, tmp_path, f"-D{name}={missing}")
    assert f"{name} names '{missing}', which is not a folder" in output


@pytest.mark.parametrize("half", ["RT", "OPS"])
def test_an_empty_prefix(sources, half, tmp_path):
    option = f"-DINFINI_{half}_PREFIX={tmp_path}"
    output = configuration_error(sources, tmp_path, option)
    assert f"<infini/{half.lower()}.h> is in none of" in output
    assert f"Set INFINI_{half}_PREFIX" in output


def test_a_prefix_without_the_library(sources, tmp_path):
    header = tmp_path / "include" / "infini" / "rt.h"
    header.parent.mkdir(parents=True)
    header.touch()
    option = f"-DINFINI_RT_PREFIX={tmp_path}"
    output = configuration_error(sources, tmp_path, option)
    assert "libinfinirt is in none of" in output
    assert "INFINI_RT_LIBRARY_DIRS" in output


def test_an_unknown_sanitizer(sources, tmp_path):
    option = "-DINFINI_BUILD_SANITIZER=memory"
    output = configuration_error(sources, tmp_path, option)
    assert "INFINI_BUILD_SANITIZER is 'memory'" in output


def test_no_python_headers(tmp_path):
    """Python.h is looked for where sysconfig says."""
    code = (
        "import sys, sysconfig; sys.path.insert(0, 'tools')\n"
        f"sysconfig.get_path = lambda name: {str(tmp_path)!r}\n"
        "import build_settings\n"
        "build_settings._python_include()"
    )
    result = run([sys.executable, "-c", code], ROOT, check=False)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"sudo apt-get install python{version}-dev" in result.stdout


@pytest.mark.skipif(os.name != "posix", reason="the Makefile needs a POSIX shell")
@pytest.mark.parametrize("version", [(3, 9), (3, 13), (2, 7)])
def test_a_python_that_is_not_supported(version, tmp_path):
    code = (
        f"import sys; sys.version_info = {(*version, 0)}; sys.version = 'fake'\n"
        f"exec(open({str(ROOT / 'tools' / 'check_python.py')!r}).read())"
    )
    result = run([sys.executable, "-c", code], tmp_path, check=False)
    assert result.returncode == 1
    assert "torch-infini needs Python 3.10, 3.11 or 3.12" in result.stdout
