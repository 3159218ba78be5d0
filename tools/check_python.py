"""Fails unless this Python is one that torch-infini supports: 3.10 to 3.12."""

import sys

if not (3, 10) <= sys.version_info[:2] <= (3, 12):
    sys.exit(
        "error: torch-infini needs Python 3.10, 3.11 or 3.12, and "
        f"{sys.executable} is {sys.version.split()[0]}. "
        "Name another one: make PYTHON=python3.11 ..."
    )
