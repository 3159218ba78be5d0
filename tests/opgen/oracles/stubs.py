"""Compare what opgen and torchgen write for backends outside of PyTorch's tree.

    python tests/opgen/oracles/stubs.py --opgen build/dev/opgen/opgen

Every description in CASES goes through both generators, and every byte is compared.
Every one in MALFORMED must be refused with a place and a message, leaving no file; what
torchgen says to it is shown beside. torchgen runs in this process: it parses
native_functions.yaml once and forks for each description. With --separate it runs as
`python -m torchgen.gen_backend_stubs` instead.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "backend: {key}\ncpp_namespace: torch_other\n"
UNSTRUCTURED = ["empty.memory_format", "empty_strided", "_copy_from", "fill_.Scalar"]
STRUCTURED = ["add.Tensor", "mul.out", "sub_.Tensor", "mm.out", "gelu", "topk"]
VIEWS = ["view", "as_strided", "expand", "squeeze_.dim", "split.Tensor", "t_"]
FACTORIES = ["empty.memory_format", "full", "rand.generator", "arange.start_out"]
FOREACH = ["_foreach_add.List", "_foreach_add.List_out", "_foreach_mul_.Scalar"]
OPTIONAL = ["native_batch_norm", "convolution_overrideable", "index.Tensor"]
MUTABLE = ["_fused_adam_", "native_batch_norm.out", "_native_batch_norm_legit"]
STRINGS = ["div.Tensor_mode", "searchsorted.Tensor", "scatter_reduce.two"]
SYMINT = ["view", "expand", "narrow_copy", "roll"]


def listed(**lists: list[str]) -> str:
    """Return the yaml of lists of operators."""
    return "".join(
        f"{key}:\n" + "".join(f"- {name}\n" for name in names)
        for key, names in lists.items()
    )


def description(key: str = "PrivateUse1", extra: str = "", **lists: list[str]) -> str:
    """Return the description of a backend."""
    return HEAD.format(key=key) + extra + listed(**lists)


def make_cases(functions: dict) -> dict[str, str]:
    """Return descriptions by their names; `functions` are all operators."""
    # NOLINT(size): a table of cases
    names = list(functions)
    with_symint = [n for n in names if functions[n].func.has_symint()]
    out = "use_out_as_primary: true\n"
    guard = "device_guard: true\n"
    family = [n for n in names if n.split(".")[0].rstrip("_") in ("add", "sub", "mul")]
    convolutions = [n for n in names if "conv" in n and "copy" not in n]
    reductions = [n for n in names if n.split(".")[0] in ("sum", "mean", "std", "all")]
    foreach = [n for n in names if n.startswith("_foreach_")]
    cases = {
        "unstructured": description(supported=UNSTRUCTURED),
        "structured": description(supported=STRUCTURED),
        "views": description(supported=VIEWS),
        "factories": description(supported=FACTORIES),
        "foreach, out": description(extra=out, supported=FOREACH),
        "optional": description(supported=OPTIONAL),
        "mutable": description(extra=out, supported=MUTABLE),
        "strings": description(supported=STRINGS),
        "XLA": description("XLA", supported=UNSTRUCTURED + STRUCTURED),
        "XLA, guard": description("XLA", guard, supported=UNSTRUCTURED + STRUCTURED),
        "Lazy": description("Lazy", supported=STRUCTURED + VIEWS),
        "Lazy, full codegen": description(
            "Lazy", supported=VIEWS, full_codegen=["abs", "add.Tensor"]
        ),
        "lazy keys": description(
            "Lazy",
            "non_native:\n- func: scalar(Scalar value) -> Tensor\nir_gen:\n- abs\n",
            supported=VIEWS,
        ),
        "out as primary": description(extra=out, supported=UNSTRUCTURED + STRUCTURED),
        "guard": description(extra=guard, supported=UNSTRUCTURED + FACTORIES),
        "guard, out": description(extra=guard + out, supported=STRUCTURED + FACTORIES),
        "guard, views": description(extra=guard, supported=VIEWS + OPTIONAL),
        "autograd": description(supported=UNSTRUCTURED, autograd=["relu", "linear"]),
        "autograd only": description(supported=[], autograd=["relu"]).replace(
            "supported:\n", "supported: []\n"
        ),
        "autograd, XLA": description(
            "XLA", guard, supported=STRUCTURED, autograd=["max_pool2d", "dropout"]
        ),
        "symint": description(supported=SYMINT, symint=["view", "expand"]),
        "symint, autograd": description(
            supported=["expand"], autograd=SYMINT[2:], symint=[*SYMINT, "select.int"]
        ),
        "class name": description(extra="class_name: Kernels\n", supported=STRUCTURED),
        "two levels": description(supported=STRUCTURED).replace(
            "torch_other", "other::native"
        ),
        "no operators": "backend: PrivateUse1\ncpp_namespace: a\nsupported:\n",
        "no lists": "backend: nothing\ncpp_namespace: a\n",
        "listed twice": description(supported=["abs", "neg", "abs"]),
        "unused symint": description(supported=["abs"], symint=["expand"]),
        "flow style": "{backend: PrivateUse2, cpp_namespace: 'a::b', "
        'supported: ["abs", add.out], class_name: null}\n',
        "comments": "# head\n" + description(supported=["abs"]) + "# tail\n",
        "PrivateUse3": description("PrivateUse3", supported=["abs"], autograd=["elu"]),
        "HPU": description("HPU", guard, supported=["abs_", "abs.out"]),
        "dunder": description(supported=["__lshift__.Scalar", "__ilshift__.Tensor"]),
        "generators": description(extra=guard, supported=["randperm", "bernoulli.p"]),
        "family": description(extra=out, supported=family),
        "family, functional": description(supported=family),
        "convolutions": description("XLA", guard, supported=convolutions),
        "reductions": description(extra=guard, supported=reductions),
        "every foreach, out": description(extra=out, supported=foreach),
    }
    for key, settings in (("PrivateUse1", out), ("XLA", out + guard)):
        cases[f"every operator, {key}"] = description(key, settings, supported=names)
    every_third = names[::3]
    cases["a third"] = description(
        extra=out, supported=every_third, symint=with_symint[::2]
    )
    return cases


OK = "supported:\n- abs\n"
MALFORMED = {
    "empty file": "",
    "null": "~\n",
    "a list": "- backend: XLA\n",
    "a string": "backend\n",
    "a number": "5\n",
    "no backend": "cpp_namespace: a\n" + OK,
    "null backend": "backend:\ncpp_namespace: a\n" + OK,
    "no namespace": "backend: PrivateUse1\n" + OK,
    "null namespace": "backend: PrivateUse1\ncpp_namespace: ~\n" + OK,
    "empty namespace": "backend: PrivateUse1\ncpp_namespace: ''\n" + OK,
    "bad namespace": "backend: PrivateUse1\ncpp_namespace: a-b\n" + OK,
    "namespace of one colon": "backend: PrivateUse1\ncpp_namespace: a:b\n" + OK,
    "three levels": "backend: PrivateUse1\ncpp_namespace: a::b::c\n" + OK,
    "namespace is a list": "backend: PrivateUse1\ncpp_namespace: [a]\n" + OK,
    "backend is a list": "backend: [PrivateUse1]\ncpp_namespace: a\n" + OK,
    "backend is a number": "backend: 1\ncpp_namespace: a\n" + OK,
    "misspelt backend": "backend: PrivatUse1\ncpp_namespace: a\n" + OK,
    "backend in lower case": "backend: xla\ncpp_namespace: a\n" + OK,
    "backend of the tree": "backend: CPU\ncpp_namespace: a\n" + OK,
    "generic backend": "backend: CompositeImplicitAutograd\ncpp_namespace: a\n" + OK,
    "misspelt key": HEAD.format(key="XLA") + "suported:\n- abs\n",
    "unknown key": HEAD.format(key="XLA") + OK + "kernels: 1\n",
    "key is a number": HEAD.format(key="XLA") + OK + "1: 2\n",
    "duplicate key": HEAD.format(key="XLA") + OK + "supported:\n- neg\n",
    "supported is a string": HEAD.format(key="XLA") + "supported: abs\n",
    "supported is a mapping": HEAD.format(key="XLA") + "supported: {abs: 1}\n",
    "operator is a number": HEAD.format(key="XLA") + "supported:\n- 1\n",
    "operator is null": HEAD.format(key="XLA") + "supported:\n- \n- abs\n",
    "operator is a list": HEAD.format(key="XLA") + "supported:\n- [abs]\n",
    "operator is a boolean": HEAD.format(key="XLA") + "supported:\n- yes\n",
    "unknown operator": HEAD.format(key="XLA") + "supported:\n- absolut\n",
    "unknown overload": HEAD.format(key="XLA") + "supported:\n- add.Tensr\n",
    "base name only": HEAD.format(key="XLA") + "supported:\n- add\n",
    "with namespace": HEAD.format(key="XLA") + "supported:\n- aten::abs\n",
    "empty name": HEAD.format(key="XLA") + "supported:\n- ''\n",
    "whole schema": HEAD.format(key="XLA") + "supported:\n- abs(Tensor self)\n",
    "symint is a string": HEAD.format(key="XLA") + OK + "symint: abs\n",
    "symint holds a list": HEAD.format(key="XLA") + OK + "symint: [[abs]]\n",
    "autograd is null": HEAD.format(key="XLA") + OK + "autograd:\n",
    "autograd is a string": HEAD.format(key="XLA") + OK + "autograd: relu\n",
    "symint without SymInt": HEAD.format(key="XLA") + OK + "symint: [abs]\n",
    "unknown in autograd": HEAD.format(key="XLA") + OK + "autograd: [relux]\n",
    "no autograd key": HEAD.format(key="Vulkan") + OK + "autograd: [relu]\n",
    "same in both": HEAD.format(key="XLA") + OK + "autograd: [abs]\n",
    "variants in both": HEAD.format(key="XLA") + OK + "autograd: [abs.out]\n",
    "full_codegen is null": HEAD.format(key="XLA") + OK + "full_codegen:\n",
    "full_codegen unknown": HEAD.format(key="XLA") + OK + "full_codegen: [abz]\n",
    "guard is a string": HEAD.format(key="XLA") + OK + "device_guard: 'true'\n",
    "guard is null": HEAD.format(key="XLA") + OK + "device_guard:\n",
    "out is a number": HEAD.format(key="XLA") + OK + "use_out_as_primary: 1\n",
    "class name is a list": HEAD.format(key="XLA") + OK + "class_name: [A]\n",
    "class name of two words": HEAD.format(key="XLA") + OK + "class_name: A B\n",
    "tab": "backend: XLA\n\tcpp_namespace: a\n",
    "unclosed quote": "backend: 'XLA\n",
    "unclosed list": HEAD.format(key="XLA") + "supported: [abs\n",
    "two documents": HEAD.format(key="XLA") + OK + "---\n" + OK,
    "unknown anchor": HEAD.format(key="XLA") + "supported: *ops\n",
    "tag": HEAD.format(key="XLA") + "supported: !!set {abs}\n",
    "not UTF-8": "\udcff: 1\n",
    # Beyond torchgen, so that it refuses all of them.
    "entry without func": HEAD.format(key="XLA") + "supported:\n- structured: true\n",
    "entry with unknown key": HEAD.format(key="XLA")
    + "supported:\n- func: abs\n  devise_guard: true\n",
    "entry with a bad value": HEAD.format(key="XLA")
    + "supported:\n- func: abs\n  device_guard: maybe\n",
    "structured without meta": HEAD.format(key="XLA") + "structured: [relu]\n",
    "structured and listed": HEAD.format(key="XLA")
    + "structured: [add.out]\nsupported: [add.Tensor]\n",
    "structured autograd": HEAD.format(key="XLA")
    + "supported: [neg]\nautograd:\n- {func: abs, structured: true}\n",
    "structured symint": HEAD.format(key="XLA")
    + "structured:\n- {func: add.out, symint: true}\n",
    "kernel is no name": HEAD.format(key="XLA")
    + "supported:\n- {func: abs, kernel: a b}\n",
    "defaults is a string": HEAD.format(key="XLA") + OK + "default_arguments: all\n",
    "headers is a number": HEAD.format(key="XLA") + OK + "extra_headers: 1\n",
    "overlay is missing": HEAD.format(key="XLA") + OK + "overlay: nowhere.yaml\n",
    "empty is no name": HEAD.format(key="XLA") + OK + "empty: 'at::'\n",
}


class Torchgen:
    """torchgen's generator, run once for each description."""

    def __init__(self, root: Path, separate: bool) -> None:
        self.root = root
        self.separate = separate
        sys.path.insert(0, str(root))
        from torchgen import gen, gen_backend_stubs

        aten = root / "torchgen/packaged/ATen/native"
        if not aten.exists():
            aten = root / "aten/src/ATen/native"
        # As run() writes the paths, so that it finds the parsed file.
        parsed = gen.parse_native_yaml(
            str(aten / "native_functions.yaml"), str(aten / "tags.yaml")
        )
        self.functions = {str(f.func.name): f for f in parsed.native_functions}
        self.run = gen_backend_stubs.run
        # Generated files name the program that made them.
        sys.modules["__main__"].__file__ = gen_backend_stubs.__file__

    def generate(self, folder: Path) -> str:
        """Read be.yaml in the folder, write to out; return what went wrong."""
        if self.separate:
            module = "torchgen.gen_backend_stubs"
            done = subprocess.run(
                [sys.executable, "-m", module, "-s", "be.yaml", "-o", "out"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(self.root)},
                capture_output=True,
                text=True,
            )
            return done.stderr if done.returncode else ""
        report = folder / "torchgen.txt"
        child = os.fork()
        if child == 0:
            self.generate_and_exit(folder, report)
        status = os.waitpid(child, 0)[1]
        return report.read_text() if status else ""

    def generate_and_exit(self, folder: Path, report: Path) -> None:
        """Do the work of a forked process."""
        status = 1
        try:
            os.chdir(folder)
            with contextlib.redirect_stdout(io.StringIO()):
                self.run("be.yaml", "out", False, None)
            status = 0
        except BaseException as error:
            report.write_text(f"{type(error).__name__}: {error}")
        os._exit(status)


def run_opgen(opgen: str, root: Path, folder: Path) -> subprocess.CompletedProcess:
    """Run opgen on be.yaml in the folder, with no Python to be found."""
    return subprocess.run(
        [opgen, "stubs", "-s", "be.yaml", "-o", "out", "--torchgen", str(root)],
        cwd=folder,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        errors="replace",
    )


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files by their names."""
    if not folder.exists():
        return {}
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def write_description(folder: Path, text: str) -> None:
    """Make the folder and the description in it."""
    folder.mkdir(parents=True)
    (folder / "be.yaml").write_bytes(text.encode(errors="surrogateescape"))


def compare(name: str, text: str, base: Path, torchgen: Torchgen, opgen: str) -> bool:
    """Run both generators on one description and print a line."""
    for side in ("torchgen", "opgen"):
        write_description(base / side, text)
    failure = torchgen.generate(base / "torchgen")
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    expected = files_in(base / "torchgen/out")
    found = files_in(base / "opgen/out")
    problems = [
        n for n in expected.keys() | found.keys() if expected.get(n) != found.get(n)
    ]
    if failure:
        problems.append(f"torchgen failed: {failure.splitlines()[0]}")
    if done.returncode:
        problems.append(f"opgen failed: {done.stderr[:300]}")
    size = sum(len(contents) for contents in expected.values())
    print(f"{name:<28} {len(expected)} files {size:>9} bytes  {problems or 'equal'}")
    return not problems


def refuse(name: str, text: str, base: Path, torchgen: Torchgen, opgen: str) -> bool:
    """Check that opgen refuses a description, and print both messages."""
    for side in ("torchgen", "opgen"):
        write_description(base / side, text)
    failure = torchgen.generate(base / "torchgen").splitlines() or ["accepted"]
    done = run_opgen(opgen, torchgen.root, base / "opgen")
    line = done.stderr.splitlines()[0] if done.stderr else "nothing"
    placed = line.startswith("be.yaml:") or "nowhere.yaml" in line
    clean = not (base / "opgen/out").exists()
    ok = done.returncode == 1 and placed and clean and " error: " in f" {line}"
    print(f"{name:<24} {'ok' if ok else 'FAILED'}  {line}\n{'':<28}[{failure[0][:90]}]")
    return ok


def main() -> int:
    """Return 0 if everything is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opgen", required=True, help="the program")
    parser.add_argument("--torchgen", help="the folder that holds torchgen/")
    parser.add_argument("--separate", action="store_true")
    parser.add_argument("--only", default="", help="part of the names to run")
    parser.add_argument("--keep", help="a folder for inputs and outputs")
    options = parser.parse_args()
    root = options.torchgen
    if root is None:
        spec = importlib.util.find_spec("torchgen")
        if spec is None or spec.origin is None:
            sys.exit("error: torchgen is not installed; install torch")
        root = Path(spec.origin).parent.parent
    torchgen = Torchgen(Path(root).resolve(), options.separate)
    opgen = str(Path(options.opgen).resolve())
    cases = make_cases(torchgen.functions)
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(options.keep or temporary)
        results = [
            check(name, text, base / check.__name__ / str(i), torchgen, opgen)
            for check, table in ((compare, cases), (refuse, MALFORMED))
            for i, (name, text) in enumerate(table.items())
            if options.only in name
        ]
    print(f"{len(results)} descriptions, {results.count(False)} failures")
    return 1 if False in results or not results else 0


if __name__ == "__main__":
    sys.exit(main())
