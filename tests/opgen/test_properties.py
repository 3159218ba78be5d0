"""What holds for every schema, and for every number of threads."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from torchgen.gen import parse_native_yaml
from torchgen.model import FunctionSchema

from .generators import installed_torchgen
from .program import opgen_build, opgen_program

SEED = 20_260
GENERATED = 3000
MANGLED = 6000
PLAIN_TYPES = [
    *("Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "Scalar", "Scalar?", "Scalar[]"),
    *("int", "int?", "int[]", "int[2]", "int[1]?", "SymInt", "SymInt?", "SymInt[]"),
    *("SymInt[3]?", "float", "float?", "float[]?", "bool", "bool?", "bool[4]", "str"),
    *("str?", "Generator?", "ScalarType", "Layout?", "Device?", "MemoryFormat?"),
    *("SymBool", "QScheme", "Stream", "Storage", "DeviceIndex"),
    *("__torch__.torch.classes.demo.Weights", "int[][2]?", "DimVector"),
]
DEFAULTS = {
    "int": ["0", "-1", "64"],
    "float": ["0.5", "1e-05", "-inf"],
    "bool": ["True", "False"],
    "str": ['"mean"', '"a,b"', "'('"],
    "Scalar": ["1", "2.5", "True"],
    "int[]": ["[]", "[0,1]"],
    "MemoryFormat?": ["None", "contiguous_format"],
}
NAMES = ["input", "other", "weight", "dim", "keepdim", "p", "x", "y_1", "eps", "lambd"]
RETURNS = ["Tensor", "Tensor[]", "int", "Scalar", "bool", "float", "SymInt", "Tensor?"]
OPTIONS = (
    "ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None"
)


def plain_arguments(rng: random.Random, names: list[str]) -> list[str]:
    """Some arguments that nothing writes to."""
    arguments = []
    for name in names:
        type_ = rng.choice(PLAIN_TYPES)
        text = f"{type_} {name}"
        choices = DEFAULTS.get(type_, ["None"] if type_.endswith("?") else [])
        if choices and rng.random() < 0.6:
            text += f"={rng.choice(choices)}"
        arguments.append(text)
    return arguments


def outputs(rng: random.Random) -> tuple[list[str], str]:
    """Output arguments and the returns that belong to them."""
    if rng.random() < 0.2:
        return ["Tensor(a!)[] out"], "()"
    letters = "abcd"[: rng.randint(1, 4)]
    names = [f"out{i}" for i in range(len(letters))] if len(letters) > 1 else ["out"]
    arguments = [f"Tensor({a}!) {n}" for a, n in zip(letters, names, strict=True)]
    if len(letters) == 1:
        return arguments, "Tensor(a!)"
    named = rng.random() < 0.5
    returned = arguments if named else [f"Tensor({a}!)" for a in letters]
    return arguments, f"({', '.join(returned)})"


def returns(rng: random.Random) -> str:
    """Returns that alias nothing."""
    count = rng.choice([0, 1, 1, 1, 2, 3])
    types = [rng.choice(RETURNS) for _ in range(count)]
    if rng.random() < 0.4:
        types = [f"{type_} r{i}" for i, type_ in enumerate(types)]
    return types[0] if count == 1 else f"({', '.join(types)})"


def schema(rng: random.Random) -> str:
    """A schema that torchgen accepts, of any kind."""
    names = rng.sample(NAMES, rng.randint(0, 6))
    split = rng.randint(0, len(names))
    positional = plain_arguments(rng, names[:split])
    keywords = plain_arguments(rng, names[split:])
    name = rng.choice(["scale", "_scale", "linear_backward", "f2"])
    overload = rng.choice(["", ".Tensor", ".by_dim", "._x"])
    kind = rng.choice(["functional", "inplace", "out", "view", "views", "factory"])
    result = returns(rng)
    if kind == "inplace":
        name += "_"
        positional.insert(0, "Tensor(a!) self")
        result = "Tensor(a!)"
    elif kind == "out":
        overload = ".out" if not overload else overload + "_out"
        positional.insert(0, "Tensor self")
        writable, result = outputs(rng)
        keywords += writable
    elif kind == "view":
        positional.insert(0, "Tensor(a) self")
        result = "Tensor(a)"
    elif kind == "views":
        positional.insert(0, "Tensor(a -> *) self")
        result = "Tensor(a)[]"
    elif kind == "factory":
        keywords.append(OPTIONS)
        result = "Tensor"
    if keywords:
        keywords.insert(0, "*")
    return f"{name}{overload}({', '.join(positional + keywords)}) -> {result}"


def mangled(rng: random.Random, text: str) -> str:
    """`text` with one to three pieces of it removed, repeated or replaced."""
    for _ in range(rng.randint(1, 3)):
        begin = rng.randrange(len(text))
        end = min(len(text), begin + rng.choice([1, 1, 2, 5]))
        piece = rng.choice(["", text[begin:end] * 2, *"()[]!?*,|>= .a_1", "->", ", "])
        text = text[:begin] + piece + text[end:] or "f"
    return text


def torchgen_says(text: str) -> str | None:
    """What torchgen prints the schema as, None if it refuses it."""
    try:
        return str(FunctionSchema.parse(text))
    except (AssertionError, RuntimeError, ValueError, IndexError, KeyError):
        return None


@pytest.fixture(scope="module")
def printer() -> Path:
    """The program that prints schemas as opgen understood them."""
    build = opgen_build()
    name = "opgen_print_schemas"
    subprocess.run(
        ["cmake", "--build", str(build), "--target", name],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return build / "tests" / "opgen" / "schema" / name


def printed(printer: Path, *arguments: Path, text: str = "") -> list[str]:
    done = subprocess.run(
        [printer, *arguments], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_all_functions_print_as_they_are_read(printer):
    native = installed_torchgen() / "torchgen/packaged/ATen/native"
    files = (native / "native_functions.yaml", native / "tags.yaml")
    schemas = printed(printer, *files)
    wanted = parse_native_yaml(*map(str, files)).native_functions
    assert sorted(schemas) == sorted(str(f.func) for f in wanted)
    assert printed(printer, text="\n".join(schemas)) == schemas


def test_generated_schemas_print_as_they_are_read(printer):
    rng = random.Random(SEED)
    schemas = [schema(rng) for _ in range(GENERATED)]
    assert len(set(schemas)) > GENERATED * 0.9
    assert [s for s in schemas if torchgen_says(s) != s] == []
    assert printed(printer, text="\n".join(schemas)) == schemas


def test_mangled_schemas_are_judged_as_by_torchgen(printer):
    rng = random.Random(SEED + 1)
    texts = [mangled(rng, schema(rng)) for _ in range(MANGLED)]
    answers = printed(printer, text="\n".join(texts))
    wanted = [torchgen_says(text) or "error" for text in texts]
    differ = [
        (text, answer, torchgen)
        for text, answer, torchgen in zip(texts, answers, wanted, strict=True)
        if ("error" if answer.startswith("error: ") else answer) != torchgen
    ]
    assert differ == []
    refused = wanted.count("error")
    assert MANGLED * 0.2 < refused < MANGLED * 0.98


RUNS = {
    "aten": ["aten", "--per-operator-headers", "--aoti-install-dir", "aoti"],
    "aten-aggregated": ["aten", "--mps", "--xpu", "--static-dispatch-backend", "CPU"],
    "autograd": ["autograd"],
    "unboxing": ["unboxing"],
}


@pytest.mark.parametrize("name", RUNS)
def test_the_number_of_threads_changes_nothing(name):
    source = installed_torchgen() / "torchgen" / "packaged" / "ATen"

    def hash_with(jobs: int) -> str:
        command = [opgen_program(), *RUNS[name], "-s", source, "-d", "out"]
        command += ["--sink", "hash", "-j", str(jobs)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout

    one = hash_with(1)
    assert len(one.strip()) == 16
    assert [hash_with(2), hash_with(8)] == [one, one]
