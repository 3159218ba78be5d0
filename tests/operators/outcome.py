"""What a call did on one device, and how two such outcomes differ.

Everything that a user can see counts: values bit for bit, dtype, shape, strides,
storage offset, lazy bits, which tensors are the same or share memory, arguments
afterwards, also after an error, the error's type and text, and warnings.
"""

import random
import re
import traceback
import warnings

import torch
import torch_infini  # noqa: F401
from torch.utils._pytree import tree_flatten

from tests.operators.twins import Twins, is_plain

ATTRIBUTES = ("dtype", "shape", "layout", "requires_grad", "is_leaf")
# What messages may differ in: where they come from, names of the device (with what the
# CPU's say in their place), and addresses.
DIFFERENCES = (
    (re.compile(r" \(Triggered internally at [^)]*\)"), ""),
    (re.compile(r", device='infini:0'"), ""),
    # Types have two spellings: torch.FloatTensor and CPUFloatType.
    (re.compile(r"\btorch\.(?:infini\.)?(\w+)Tensor\b"), r"\1Type"),
    (re.compile(r"\b(?:infini|CPU)(\w+)Type\b"), r"\1Type"),
    (re.compile(r"\binfini(:0)?\b"), "cpu"),
    (re.compile(r"\b(INFINI|PrivateUse1)"), "CPU"),
    (re.compile(r"\bprivateuseone(:0)?\b"), "cpu"),
    # Addresses and counters of objects.
    (re.compile(r"0x[0-9a-f]+"), "0x"),
)


def seed_everything(seed):
    """What torch.manual_seed does, without a note for each absent backend."""
    random.seed(seed)
    torch.default_generator.manual_seed(seed)
    torch.infini.manual_seed_all(seed)


def neutral(text):
    """A message without the device's name and without the line of its source."""
    for pattern, replacement in DIFFERENCES:
        text = pattern.sub(replacement, text)
    return text


class Outcome:
    """Runs `call(twins)`, which returns trees by name, and keeps what came of it.

    Tensors with the names `on_cpu` are there on every device.
    """

    on_cpu = ("step",)

    def __init__(self, call, device, seed, grad=False):
        self.twins = Twins(device, grad)
        self.error = None
        self.trees = {}
        seed_everything(seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                self.trees = call(self.twins)
            except Exception as error:
                self.error = error
        self.warnings = sorted({neutral(str(w.message)) for w in caught})
        self.tensors = []
        self.others = []
        for name, tree in self.trees.items():
            for leaf in tree_flatten(tree)[0]:
                if isinstance(leaf, torch.Tensor):
                    self.tensors.append((name, leaf))
                else:
                    self.others.append(f"{name}: {neutral(repr(leaf))}")

    def everything(self):
        """All tensors by name: what the call returned, and its arguments."""
        return self.tensors + [("argument", tensor) for tensor in self.twins.made]

    def relations(self):
        """For each tensor the first that it is, and the first it shares memory with."""
        same, shared, found = {}, {}, []
        for index, (_, tensor) in enumerate(self.everything()):
            first = same.setdefault(id(tensor), index)
            storage = first
            if (
                is_plain(tensor)
                and not tensor._is_zerotensor()
                and tensor.untyped_storage().data_ptr()
            ):
                key = tensor.untyped_storage()._cdata
                storage = shared.setdefault(key, index)
            found.append((first, storage))
        return found

    def wrong_device(self):
        """A result on another device than that of the arguments, or nothing."""
        expected = self.twins.device.type if self.twins.used else "cpu"
        for name, tensor in self.tensors:
            if tensor.device.type != expected and name not in self.on_cpu:
                return f"{name} is on {tensor.device}"
        return ""


def values(tensor):
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
    tensor = torch.view_as_real(tensor) if tensor.dtype.is_complex else tensor
    return tensor.as_strided((tensor.numel(),), (1,))


def same_values(got, expected):
    """How many values differ; a NaN equals a NaN, and 0 does not equal -0."""
    a, b = values(got), values(expected)
    if a.numel() == 0 or torch.equal(a.view(torch.uint8), b.view(torch.uint8)):
        return 0
    if not a.dtype.is_floating_point:
        return int((a != b).sum())
    if a.dtype.itemsize == 1:
        a, b = a.float(), b.float()
    same = ((a == b) & (a.signbit() == b.signbit())) | (a.isnan() & b.isnan())
    return int((~same).sum())


def flat(tensor):
    """All of the tensor's storage; what lies between its elements may not change."""
    storage = tensor.untyped_storage()
    return torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)


def tensor_difference(got, expected, name):
    """Why two tensors differ, or an empty string."""
    if type(got) is not type(expected):
        return f"{name}: {type(got)} != {type(expected)}"
    for attribute in ATTRIBUTES:
        a, b = getattr(got, attribute), getattr(expected, attribute)
        if a != b:
            return f"{name}: {attribute} {a} != {b}"
    if (got.is_conj(), got.is_neg()) != (expected.is_conj(), expected.is_neg()):
        return f"{name}: conjugate or negative bit differs"
    if not is_plain(got):
        a, b = got.detach().cpu().to_dense(), expected.detach().to_dense()
        return tensor_difference(a, b, name)
    methods = ("stride", "storage_offset", "_is_view")
    for method in methods[:2] if name == "gradient" else methods:
        a, b = getattr(got, method)(), getattr(expected, method)()
        if a != b:
            return f"{name}: {method} {a} != {b}"
    if got._is_zerotensor() != expected._is_zerotensor():
        return f"{name}: one of them is a tensor of zeros without memory"
    if got._is_zerotensor():
        return ""
    if (got.data_ptr() == 0) != (expected.data_ptr() == 0):
        return f"{name}: one of them has no memory"
    if got.data_ptr() == 0:
        return ""
    wrong = same_values(got, expected)
    if wrong:
        return f"{name}: {wrong} of {got.numel()} values differ"
    if not got.is_contiguous() and name in ("argument", "out"):
        a, b = flat(got), flat(expected)
        if a.shape == b.shape and same_values(a, b):
            return f"{name}: memory between its elements differs"
    return ""


def error_difference(got, expected):
    """Why what two calls raised differs, or an empty string."""
    a, b = got.error, expected.error
    if a is None and b is None:
        return ""
    if a is None:
        return f"raised nothing, expected {type(b).__name__}: {neutral(str(b))}"
    if b is None:
        text = "".join(traceback.format_exception(a))
        return f"raised what the other did not: {text}"
    if type(a) is not type(b) or neutral(str(a)) != neutral(str(b)):
        return (
            f"raised {type(a).__name__}: {neutral(str(a))!r},\n"
            f"expected {type(b).__name__}: {neutral(str(b))!r}"
        )
    return ""


def difference(got, expected, other):
    """Why two outcomes differ, or an empty string.

    `other` is another outcome of what `expected` did: of a warning that is given once
    in a process it is enough that one of them saw it.
    """
    found = error_difference(got, expected)
    if found:
        return found
    if got.others != expected.others:
        return f"{got.others} != {expected.others}"
    pairs = list(zip(got.everything(), expected.everything(), strict=False))
    if len(got.tensors) != len(expected.tensors) or len(pairs) != len(
        expected.everything()
    ):
        return "number of tensors differs"
    for (name, a), (_, b) in pairs:
        found = tensor_difference(a, b, name)
        if found:
            return found
    if got.relations() != expected.relations():
        return f"sharing differs: {got.relations()} != {expected.relations()}"
    known = set(expected.warnings) | set(other.warnings)
    always = set(expected.warnings) & set(other.warnings)
    if set(got.warnings) - known:
        return f"warned: {sorted(set(got.warnings) - known)}"
    if always - set(got.warnings):
        return f"did not warn: {sorted(always - set(got.warnings))}"
    return ""
