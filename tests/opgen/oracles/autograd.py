"""Write TraceType, ADInplaceOrViewType and variable_factories.h with torchgen.

The generators print the place of their templates relative to the torchgen
package, so they run from a tree that is laid out like PyTorch's sources.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
import tempfile
from pathlib import Path

GENERATORS = ("trace", "inplace_or_view", "variable_factories")


def make_tree(package: Path, root: Path) -> None:
    """Lay the installed torchgen package out as in PyTorch's sources."""
    skip = shutil.ignore_patterns("__pycache__", "packaged")
    shutil.copytree(package, root / "torchgen", ignore=skip)
    shutil.copytree(package / "packaged/ATen", root / "aten/src/ATen")
    shutil.copytree(package / "packaged/autograd", root / "tools/autograd", ignore=skip)
    (root / "tools/__init__.py").touch()


def generate(root: Path, inputs: dict[str, str], out: Path, only: list[str]) -> None:
    """Run the chosen generators on three yaml files."""

    def load(name: str) -> object:
        return importlib.import_module(name)

    native, tags = inputs["native"], inputs["tags"]
    templates = str(root / "tools/autograd/templates")
    parsed = load("torchgen.gen").parse_native_yaml(native, tags)
    functions = parsed.native_functions
    if "trace" in only:
        trace = load("tools.autograd.gen_trace_type")
        trace.gen_trace_type(str(out), functions, templates)
    if "variable_factories" in only:
        factories = load("tools.autograd.gen_variable_factories")
        factories.gen_variable_factories(str(out), native, tags, templates)
    if "inplace_or_view" in only:
        cpp = load("torchgen.api.cpp")
        derivatives = load("tools.autograd.load_derivatives")
        infos, _ = derivatives.load_derivatives(inputs["derivatives"], native, tags)
        by_name = sorted(functions, key=lambda f: cpp.name(f.func))
        matched = load("torchgen.api.autograd").match_differentiability_info(
            by_name, infos
        )
        views = load("tools.autograd.gen_inplace_or_view_type")
        views.gen_inplace_or_view_type(str(out), native, tags, matched, templates)


def main() -> None:
    """Read the command line and generate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, required=True, help="torchgen's folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--native", help="another native_functions.yaml")
    parser.add_argument("--tags", help="another tags.yaml")
    parser.add_argument("--derivatives", help="another derivatives.yaml")
    parser.add_argument("--only", default=",".join(GENERATORS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_tree(options.package, root)
        sys.path.insert(0, str(root))
        native = root / "aten/src/ATen/native"
        inputs = {
            "native": options.native or str(native / "native_functions.yaml"),
            "tags": options.tags or str(native / "tags.yaml"),
            "derivatives": options.derivatives
            or str(root / "tools/autograd/derivatives.yaml"),
        }
        generate(root, inputs, options.out, options.only.split(","))


if __name__ == "__main__":
    main()
