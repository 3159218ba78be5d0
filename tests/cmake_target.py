"""Programs and libraries of the preset `dev` that tests need."""

import fcntl
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build_target(folder: Path, target: str) -> None:
    """Builds a target of the preset `dev` in a folder, which is configured if new.

    One process at a time: tests run side by side, and ninja does not lock its folder.
    """
    commands = [
        ["cmake", "--preset", "dev", "-B", str(folder)],
        ["cmake", "--build", str(folder), "--target", target],
    ]
    with open(Path(tempfile.gettempdir()) / f"infini_{target}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in commands[(folder / "build.ninja").exists() :]:
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
