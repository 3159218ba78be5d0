"""Descriptions of backends outside of PyTorch's tree, for oracles/stubs.py."""

from __future__ import annotations

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

# What torchgen ought to take and does not.
BEYOND = {
    "out= that returns nothing": description(supported=["_foreach_add.Scalar"]),
    "extra_headers": description(supported=["abs"], extra_headers=["a.h", "<b.h>"]),
}
KERNELS = description(
    supported=["abs", "add.Tensor", "add.Scalar"], autograd=["elu"], symint=["expand"]
)
# C++ files that must name the kernels of KERNELS, and whether they do.
IMPLEMENTATIONS = {
    "all": ("N::abs(\nN::add(\nN::add(\nN::elu(\n", True),
    "empty": ("", False),
    "one missing": ("N::abs(\nN::add(\nN::add(\n", False),
    "one overload missing": ("N::abs(\nN::add(\nN::elu(\n", False),
    "one too many": ("N::abs(\nN::abs(\nN::add(\nN::add(\nN::elu(\n", False),
    "another class": ("M::abs(\nN::add(\nN::add(\nN::elu(\n", False),
    "in comments": ("// N::abs(\n// N::add(\n# N::add(\n/* N::elu( */", True),
    "two on a line": ("N::abs(N::add(\nN::add(\nN::elu(\n", False),
    "last of a line counts": ("N::x(N::abs(\nN::add(\nN::add(\nN::elu(\n", True),
    "after a colon": ("N::abs(\nn::N::add(\nN::add(\nN::elu(\n", False),
    "over two lines": ("N::\n  abs(\nN::add(\nN::add(\nN::elu(\n", True),
    "space before": ("N::abs (\nN::add(\nN::add(\nN::elu(\n", False),
    "longer class": ("XN::abs(\nN::add(\nN::add(\nN::elu(\n", True),
    "Windows lines": ("N::abs(\r\nN::add(\r\nN::add(\r\nN::elu(", True),
    "bodies": ("T N::abs(T a) { return N::x; }\nN::add(\nN::add(\nN::elu(\n", True),
    "no newline between": ("N::abs() N::add() N::add() N::elu()", False),
    "operator name": ("N::abs(\nN::add_Tensor(\nN::add(\nN::elu(\n", False),
}


def make_implementation(text: str) -> str:
    """Return the text with the name of the class in the place of N."""
    return text.replace("N::", "PrivateUse1NativeFunctions::")
