"""Makes sure that the machine has what does not come from PyPI.

    python tools/system_packages.py build|test

`build` is a C++ compiler and the headers of this Python; `test` also GoogleTest,
Google Benchmark, libyaml and CLI11 for opgen, and clang-19 with its sanitizers to fuzz
it; ccache and mold are only wished for.
What is missing is installed with apt-get when this runs as root; otherwise the one
command to run is printed, and the exit status is 1 if something needed is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

INCLUDE_DIRS = [Path("/usr/include"), Path("/usr/local/include")]


@dataclass(frozen=True)
class Package:
    """A package of Debian and Ubuntu, and how to tell that it is not needed."""

    name: str
    present: bool
    required: bool = True


def _header(name: str) -> bool:
    return any((folder / name).is_file() for folder in INCLUDE_DIRS)


def _fuzzer_runtime() -> bool:
    folder = Path("/usr/lib/llvm-19/lib/clang/19/lib")
    return any(folder.glob("*/libclang_rt.fuzzer*.a"))


def _compiler() -> str:
    return os.environ.get("CXX", "c++").split()[0]


def wanted(purpose: str) -> list[Package]:
    """Return the packages for `purpose`, present or not."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    packages = [
        Package("g++", shutil.which(_compiler()) is not None),
        Package(f"python{version}-dev", headers.is_file()),
        Package("libyaml-dev", _header("yaml.h")),
        Package("ccache", shutil.which("ccache") is not None, required=False),
        Package("mold", shutil.which("mold") is not None, required=False),
    ]
    if purpose == "test":
        packages += [
            Package("libgtest-dev", _header("gtest/gtest.h")),
            Package("libgmock-dev", _header("gmock/gmock.h")),
            Package("libbenchmark-dev", _header("benchmark/benchmark.h")),
            Package("libcli11-dev", _header("CLI/CLI.hpp")),
            Package("clang-19", shutil.which("clang++-19") is not None),
            Package("libclang-rt-19-dev", _fuzzer_runtime()),
        ]
    return packages


def _install(names: list[str]) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    update = subprocess.run(["apt-get", "update", "-qq"], env=environment)
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *names]
    print("+", " ".join(command), flush=True)
    installed = subprocess.run(command, env=environment)
    return update.returncode == 0 and installed.returncode == 0


def main(arguments: list[str]) -> int:
    """Install or name what is missing; return 1 if something needed still is."""
    if arguments not in (["build"], ["test"]):
        print(__doc__, file=sys.stderr)
        return 2
    missing = [package for package in wanted(arguments[0]) if not package.present]
    if not missing:
        return 0
    names = [package.name for package in missing]
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0
    if may_install and shutil.which("apt-get"):
        _install(names)
        missing = [package for package in wanted(arguments[0]) if not package.present]
    needed = [package.name for package in missing if package.required]
    if needed:
        print(
            f"\nerror: missing: {', '.join(needed)}. Install:\n"
            f"    sudo apt-get install {' '.join(names)}\n",
            file=sys.stderr,
        )
    return 1 if needed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
