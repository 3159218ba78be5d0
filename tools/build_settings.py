"""What a build asks of the Python environment it is built for.

    python tools/build_settings.py torch --json
    python tools/build_settings.py openblas --cmake build/dev/settings/openblas.cmake

`torch` tells the paths, version and flags of the installed PyTorch and of this
interpreter; `openblas` those of the package scipy-openblas32. setup.py and
cmake/InfiniPython.cmake both ask here, so that every kind of build agrees.

PyTorch is imported in a child process that loads no out-of-tree backend: a
torch-infini that is installed, and perhaps broken, must not stop its rebuild.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

OPENBLAS_PACKAGE = "scipy-openblas32"

_ASK_TORCH = """
import json
import torch
import torch.utils.cpp_extension as extension
flags = getattr(extension, "_get_pybind11_abi_build_flags", lambda: [])()
print(json.dumps({
    "include": extension.include_paths(),
    "library": extension.library_paths(),
    "abi": bool(torch.compiled_with_cxx11_abi()),
    "version": str(torch.__version__),
    "definitions": [flag[2:] for flag in flags if flag.startswith("-D")],
}))
"""


class SettingsError(Exception):
    """The environment lacks something; the message says how to install it."""


def torch_settings() -> dict[str, str]:
    """Return the CMake variables of cmake/InfiniTorch.cmake.

    Raises:
        SettingsError: PyTorch cannot be imported, or Python has no headers.
    """
    child = subprocess.run(
        [sys.executable, "-c", _ASK_TORCH],
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
        capture_output=True,
        text=True,
    )
    if child.returncode != 0:
        reason = (child.stderr.strip().splitlines() or ["no message"])[-1]
        raise SettingsError(
            f"torch-infini is compiled against the PyTorch of your environment, and "
            f"{sys.executable} cannot import it here ({reason}).\n"
            "Install PyTorch first, then build without build isolation:\n"
            "    pip install torch\n"
            "    pip install --no-build-isolation --no-deps ."
        )
    found = json.loads(child.stdout.strip().splitlines()[-1])
    library_dirs = [d for d in found["library"] if list(Path(d).glob("libc10.*"))]
    if not library_dirs:
        raise SettingsError(
            f"PyTorch names {found['library']} as its libraries, and none holds "
            "libc10. Reinstall PyTorch: pip install --force-reinstall torch"
        )
    return {
        "INFINI_TORCH_INCLUDE_DIRS": ";".join(found["include"]),
        "INFINI_TORCH_LIBRARY_DIR": library_dirs[0],
        "INFINI_TORCH_CXX11_ABI": str(int(found["abi"])),
        "INFINI_TORCH_VERSION": found["version"],
        "INFINI_TORCH_DEFINITIONS": ";".join(found["definitions"]),
        "INFINI_PYTHON_INCLUDE_DIR": _python_include(),
        "INFINI_PYTHON_EXTENSION_SUFFIX": sysconfig.get_config_var("EXT_SUFFIX"),
    }


def _python_include() -> str:
    include = Path(sysconfig.get_path("include"))
    if not (include / "Python.h").is_file():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SettingsError(
            f"Python.h is not in {include}. Install the headers of Python {version}: "
            f"sudo apt-get install python{version}-dev"
        )
    return str(include)


def openblas_settings() -> dict[str, str]:
    """Return the CMake variables of cmake/InfiniOpenblas.cmake.

    Raises:
        SettingsError: the package is not installed, or not complete.
    """
    install = f"Install it: pip install --force-reinstall {OPENBLAS_PACKAGE}"
    try:
        import scipy_openblas32 as package

        files = importlib.metadata.files(OPENBLAS_PACKAGE) or []
    except ImportError as error:
        raise SettingsError(
            f"The embedded operators need {OPENBLAS_PACKAGE}, which {sys.executable} "
            f"does not have ({error}). Install it: pip install {OPENBLAS_PACKAGE}"
        ) from error
    library = Path(package.get_lib_dir()) / f"lib{package.get_library()}.so"
    licences = [file.locate() for file in files if file.name.startswith("LICENSE")]
    for path in [library, *(licences or [Path("LICENSE.txt")])]:
        if not Path(path).is_file():
            raise SettingsError(f"{OPENBLAS_PACKAGE} has no {path}. {install}")
    return {
        "INFINI_OPENBLAS_ROOT": str(library.parent.parent),
        "INFINI_OPENBLAS_LIBRARY": str(library),
        "INFINI_OPENBLAS_LICENSE": str(licences[0]),
    }


def _write_if_changed(path: Path, text: str) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _cmake_text(settings: dict[str, str]) -> str:
    lines = [f"set({name} [==[{value}]==])" for name, value in settings.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print or write the settings; a failure is one message on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["torch", "openblas"])
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--json", action="store_true")
    form.add_argument("--cmake", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    try:
        ask = torch_settings if arguments.what == "torch" else openblas_settings
        settings = ask()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.cmake:
        _write_if_changed(arguments.cmake, _cmake_text(settings))
    else:
        print(json.dumps(settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
