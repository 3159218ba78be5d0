"""Prints the tables of docs/misuse.md: every attempt with what it says.

python -m tests.misuse.print_attempts
"""

from __future__ import annotations

import importlib
import re
import warnings
from pathlib import Path

import torch_infini

from tests.misuse.conftest import make_names

TOPICS = {
    "devices": "Devices",
    "mixed_devices": "Operands",
    "sizes": "Sizes",
    "streams": "Streams and events",
    "kinds": "Layouts, dtypes, pinning, generators",
    "values": "Values and autograd",
    "storages": "Views and storages",
    "serialization": "Files, copies and pickles",
    "interchange": "NumPy, DLPack, shared memory",
    "memory": "Limits of memory",
    "cuda_names": "Names of torch.cuda",
}
LONGEST = 220
PACKAGE = str(Path(torch_infini.__file__).parent)


def neutral(text: str) -> str:
    """The text without this machine's paths and amounts of memory."""
    text = re.sub(
        r"total of \d+ bytes of which \d+ are", "total of N bytes of which M are", text
    )
    return " ".join(text.replace(PACKAGE, "<path>").split())


def message_of(code: str) -> str:
    """The error that the code raises, as Python shows it, in one line."""
    try:
        exec(code, make_names())
    except Exception as error:
        text = neutral(f"{type(error).__name__}: {error}")
        return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} ..."
    return "(nothing raised)"


def escaped(text: str) -> str:
    """The text as inline code in a cell of a table."""
    mark = "``" if "`" in text else "`"
    pad = " " if mark == "``" else ""
    return f"{mark}{pad}{text}{pad}{mark}".replace("|", "\\|")


def main() -> None:
    """Prints one table per topic."""
    warnings.simplefilter("ignore")
    for name, title in TOPICS.items():
        module = importlib.import_module(f"tests.misuse.test_misuse_{name}")
        codes = list(getattr(module, "MIXED_ATTEMPTS", ()))
        tables = [getattr(module, n, ()) for n in ("ATTEMPTS", "OTHER_ATTEMPTS")]
        codes += [attempt[0] for table in tables for attempt in table]
        print(f"### {title}\n\n| tried | says |\n| --- | --- |")
        for code in codes:
            print(f"| {escaped(code)} | {escaped(message_of(code))} |")
        print()


if __name__ == "__main__":
    main()
