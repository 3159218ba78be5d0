"""Builds the extension with CMake; everything else stands in pyproject.toml.

One command does it for wheels, editable and in-place builds: configure and build
in build/<python>-<torch>-<stack>/, which stays and makes the next build a matter
of seconds, then `cmake --install` into the wheel's folder or into python/.

Environment: MAX_JOBS (parallel compilations), INFINI_BUILD_DIR (another build
folder), CMAKE_ARGS (more arguments for the configuration), and the variables of
an external stack (cmake/InfiniStack.cmake).
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import setuptools
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
PACKAGE = "torch_infini"
STACK_VARIABLES = [
    *(
        f"INFINI_{half}_{name}"
        for half in ("RT", "OPS")
        for name in ("PREFIX", "INCLUDE_DIRS", "LIBRARY_DIRS")
    ),
    "CUDA_INCLUDE_DIRS",
]
# What an earlier build may have left in the folder that is installed into.
BUILT_FILES = ["_C*.so", "_build_info.json", "lib"]


def project_version() -> str:
    """Return the version that the top CMakeLists.txt declares."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(torch_infini VERSION ([0-9.]+)", text).group(1)


def fail(message: str) -> None:
    """End the build with a message instead of a traceback."""
    sys.exit(f"\nerror: {message}\n")


def check_setuptools() -> None:
    """End with a clear message if this environment cannot make wheels.

    Without build isolation nobody else looks: an old setuptools needs a wheel package
    of its time, and fails with "invalid command 'bdist_wheel'" otherwise.
    """
    if not {"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv):
        return
    for module in ("setuptools.command.bdist_wheel", "wheel.bdist_wheel"):
        try:
            importlib.import_module(module)
        except ImportError:
            continue
        return
    fail(
        f"setuptools {setuptools.__version__} cannot make wheels here. Install: "
        f"{sys.executable} -m pip install --upgrade setuptools wheel"
    )


def find_tools() -> dict[str, str]:
    """Return the paths of cmake and ninja, or end with the command to install them.

    The scripts folder of this interpreter comes first: pip does not put it on PATH.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    tools = {name: shutil.which(name, path=path) for name in ("cmake", "ninja")}
    missing = [name for name, found in tools.items() if found is None]
    if missing:
        fail(
            f"{' and '.join(missing)} not found. Install: "
            f"{sys.executable} -m pip install {' '.join(missing)}"
        )
    compiler = shlex.split(os.environ.get("CXX", "c++"))[0]
    if shutil.which(compiler) is None:
        fail(
            f"the C++ compiler '{compiler}' is not found. Install: "
            "sudo apt-get install g++"
        )
    return tools


def settings(what: str) -> dict[str, str]:
    """Ask tools/build_settings.py, whose message ends the build when it fails."""
    command = [sys.executable, str(ROOT / "tools" / "build_settings.py"), what]
    child = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, stderr=None)
    if child.returncode != 0:
        fail("the build cannot go on; the reason stands above.")
    return json.loads(child.stdout)


def stack_name() -> str:
    """Return embedded, upstream, or the half that is upstream's."""
    external = [
        half.lower()
        for half in ("RT", "OPS")
        if any(os.environ.get(name) for name in STACK_VARIABLES if f"_{half}_" in name)
    ]
    return {0: "embedded", 1: f"upstream-{''.join(external)}", 2: "upstream"}[
        len(external)
    ]


def build_folder(torch_version: str) -> Path:
    """Return the folder that serves this interpreter, PyTorch and stack."""
    if os.environ.get("INFINI_BUILD_DIR"):
        return Path(os.environ["INFINI_BUILD_DIR"]).resolve()
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return ROOT / "build" / f"{tag}-{torch_version}-{stack_name()}"


def run(command: list[str]) -> None:
    """Run a step of the build; its own output says what went wrong."""
    print("+", shlex.join(command), flush=True)
    status = subprocess.run(command).returncode
    if status != 0:
        fail(f"'{Path(command[0]).name}' failed with status {status}; see above.")


class CMakeBuild(build_ext):
    """Configures, builds and installs the extension with CMake."""

    def run(self) -> None:
        """Build, and install the result where this kind of build wants it."""
        jobs = os.environ.get("MAX_JOBS") or str(os.cpu_count() or 1)
        if not jobs.isdigit() or int(jobs) == 0:
            fail(f"MAX_JOBS is '{jobs}'; it must be a positive number.")
        tools = find_tools()
        variables = settings("torch")
        folder = build_folder(variables["INFINI_TORCH_VERSION"])
        configure = [
            tools["cmake"], "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
            f"-DCMAKE_MAKE_PROGRAM={tools['ninja']}",
            f"-DCMAKE_BUILD_TYPE={'Debug' if self.debug else 'Release'}",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            "-DINFINI_BUILD_TESTING=OFF",
            f"-DINFINI_PYTHON={sys.executable}",
            *(f"-D{name}={value}" for name, value in variables.items()),
            *(f"-D{name}={os.environ.get(name, '')}" for name in STACK_VARIABLES),
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]  # fmt: skip
        run(configure)
        run([tools["cmake"], "--build", str(folder), "--parallel", jobs])
        package = self.package_folder()
        for pattern in BUILT_FILES:
            for old in package.glob(pattern):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        install = [tools["cmake"], "--install", str(folder)]
        run([*install, "--component", "plugin", "--prefix", str(package)])

    def in_place(self) -> bool:
        """Say whether the result belongs into the source tree."""
        return bool(self.inplace or getattr(self, "editable_mode", False))

    def package_folder(self) -> Path:
        """Return the folder of the Python package that is built."""
        if self.in_place():
            return ROOT / "python" / PACKAGE
        return Path(self.build_lib).resolve() / PACKAGE

    def get_outputs(self) -> list[str]:
        """Return what was installed, which setuptools adds to its records."""
        package = self.package_folder()
        found = [path for pattern in BUILT_FILES for path in package.glob(pattern)]
        inside = [p for path in found if path.is_dir() for p in path.rglob("*")]
        return sorted(str(path) for path in [*found, *inside] if path.is_file())

    def get_output_mapping(self) -> dict[str, str]:
        """Return nothing: no output is copied from the build to the source tree."""
        return {}

    def get_source_files(self) -> list[str]:
        """Return nothing: MANIFEST.in lists the sources."""
        return []


check_setuptools()
setup(
    version=project_version(),
    ext_modules=[Extension(f"{PACKAGE}._C", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
