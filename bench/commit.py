"""Which commit a benchmark belongs to."""

from __future__ import annotations

import subprocess
from pathlib import Path


def current_commit() -> str:
    """Return the short hash of HEAD, with "-dirty" where files differ from it."""
    root = Path(__file__).resolve().parent.parent
    command = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"
