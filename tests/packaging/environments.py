"""Virtual environments and copies of the repository for the packaging tests."""

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Whatever the developer has set must not decide what the tests see.
SCRUBBED = (
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "TORCH_DEVICE_BACKEND_AUTOLOAD",
    "CMAKE_ARGS",
    "INFINI_BUILD_DIR",
    "CUDA_INCLUDE_DIRS",
)


def clean_environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without what steers builds and imports."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in SCRUBBED and not name.startswith(("INFINI_RT_", "INFINI_OPS_"))
    }
    tools = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    return {**kept, "PATH": tools, **extra}


def run(command, cwd, check=True, **extra):
    """Run a command in a clean environment; its output is one text."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=clean_environment(**extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if check:
        assert result.returncode == 0, result.stdout
    return result


def configure(source, build, *options, check=True):
    """Configure without the tests, as setup.py does."""
    command = ["cmake", "-S", source, "-B", build, "-G", "Ninja"]
    always = ["-DINFINI_BUILD_TESTING=OFF", f"-DINFINI_PYTHON={sys.executable}"]
    return run([*command, *always, *options], source, check)


def copy_repository(target: Path) -> Path:
    """Copy what git tracks, and new files it does not ignore, as a clone would."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    for name in listed:
        source = ROOT / name
        if source.is_file():
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
    return target


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "lib" / version / "site-packages"

    def pip(self, *words, cwd, check=True, **extra):
        """Run pip without an index: nothing but the given sources is installed."""
        command = [self.python, "-m", "pip", "--disable-pip-version-check", *words]
        return run(command, cwd, check, PIP_NO_INDEX="1", **extra)

    def python_code(self, code, cwd, check=True, **extra):
        """Run a line of Python."""
        return run([self.python, "-c", code], cwd, check, **extra)


def create_environment(folder: Path, with_torch: bool = True) -> Environment:
    """Create an environment, by default with sight of this one's packages.

    They are seen through a .pth file, pip among them; nothing large is installed.
    Without them the environment holds nothing at all.
    """
    command = [sys.executable, "-m", "venv", "--without-pip", folder]
    run(command, cwd=folder.parent)
    environment = Environment(folder)
    if with_torch:
        outer = Path(importlib.util.find_spec("torch").origin).parent.parent
        (environment.site_packages / "outer.pth").write_text(f"{outer}\n")
    return environment
