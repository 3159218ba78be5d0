"""The entries of torch.testing's databases, and how each is judged.

An entry is (database, index, dtype). `check(entry, judge, limit)` calls the judge once
per case. Samples are generated on the CPU with a fixed seed; at most `limit` of them,
spread evenly over all, are used, and fewer in the modes that take several calls.
"""

import warnings
from dataclasses import asdict, dataclass
from functools import cache

import torch

from tests.operators import operator_modes as modes
from tests.operators.module_cases import check_module
from tests.operators.optimizer_cases import OPTIMIZER_DTYPES, check_optimizer
from tests.operators.outcome import seed_everything

NAMES = ("op_db", "python_ref_db", "module_db", "optim_db")
# Their values depend on what memory held; deterministic mode fills it. PyTorch gives
# LAPACK's gelsy pivots that are at::empty, and those that are not 0 come first.
UNINITIALISED = (
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "linalg.lstsq",
    "new_empty",
    "new_empty_strided",
    "resize_",
    "resize_as_",
)
# PyTorch's Python code takes another way on the device that is called "cpu".
ASK_FOR_CPU = (
    "_refs.native_group_norm",
    "_refs.native_layer_norm",
    "_refs.arange",
    "nn.functional.linear_cross_entropy",
)
# PyTorch's Python code wants the tensor of indices on the CPU, whatever the device.
HOST_INDICES = ("_refs.tensor_split",)


@dataclass(frozen=True)
class Entry:
    """One entry of a database in one dtype."""

    database: str
    index: int
    dtype: str
    name: str

    def key(self):
        return f"{self.database} {self.name} {self.dtype}"

    def task(self):
        return asdict(self)


@cache
def database(name):
    """The list of infos of a database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in ("op_db", "python_ref_db"):
            from torch.testing._internal import common_methods_invocations as operators

            return getattr(operators, name)
        if name == "module_db":
            from torch.testing._internal.common_modules import module_db

            return module_db
        from torch.testing._internal.common_optimizers import optim_db

        return optim_db


def dtypes_of(name, info):
    if name == "optim_db":
        return OPTIMIZER_DTYPES if info.supports_complex else OPTIMIZER_DTYPES[:-1]
    return info.supported_dtypes("cpu")


def entry_name(name, info):
    return info.name if name == "optim_db" else info.formatted_name


def entries(names=NAMES, dtypes=None):
    """All entries, float32 first, then dtype by dtype."""
    found = []
    for name in names:
        for index, info in enumerate(database(name)):
            for dtype in dtypes_of(name, info):
                text = str(dtype).removeprefix("torch.")
                if dtypes is None or text in dtypes:
                    found.append(Entry(name, index, text, entry_name(name, info)))
    first = [entry for entry in found if entry.dtype == "float32"]
    rest = [entry for entry in found if entry.dtype != "float32"]
    return first + sorted(rest, key=lambda e: (e.dtype, e.database, e.index))


def spread(items, limit):
    """At most `limit` items, evenly spread, the first and the last among them."""
    if not limit or len(items) <= limit:
        return list(enumerate(items))
    if limit == 1:
        return [(0, items[0])]
    picked = {round(i * (len(items) - 1) / (limit - 1)) for i in range(limit)}
    return [(i, items[i]) for i in sorted(picked)]


class OperatorCheck:
    """Runs the modes of one entry of op_db or python_ref_db."""

    def __init__(self, op, dtype, judge, limit):
        self.op = op
        self.judge = judge
        self.limit = limit
        self.few = max(2, limit // 3) if limit else 0
        self.backward = op.supports_autograd and dtype in op.supported_backward_dtypes(
            "cpu"
        )
        seed_everything(0)
        # Not sample_inputs(), which walks the stack for the name of a test.
        self.samples = list(op.sample_inputs_func(op, "cpu", dtype, self.backward))
        judge.report.samples = len(spread(self.samples, limit))

    def case(self, mode, function, number, sample, grad=False):
        def call(twins):
            if self.op.name in HOST_INDICES:
                twins.stay = modes.tensors_in(sample.args)
            return function(self.op, sample, twins)

        self.judge(mode, f"sample {number}", call, number, grad)

    def run(self):
        for number, sample in spread(self.samples, self.limit):
            self.case("forward", modes.forward, number, sample)
            if self.backward:
                self.case("backward", modes.backward, number, sample, grad=True)
        few = spread(self.samples, self.few)
        for number, sample in few:
            self.run_variants(number, sample)
        for change, function in modes.CHANGES.items():
            for number, sample in few:
                self.run_changed(change, function, number, sample)
        if self.op.error_inputs_func is not None:
            self.run_errors()

    def run_variants(self, number, sample):
        if self.backward and self.op.supports_forward_ad:
            self.case("forward AD", modes.forward_mode, number, sample, grad=True)
        if self.op.supports_out:
            for kind in modes.OUTS:
                self.case(f"out= ({kind})", modes.out(kind), number, sample)
        if self.op.get_inplace() is not None and isinstance(sample.input, torch.Tensor):
            self.case("in-place", modes.in_place, number, sample)
            if self.backward and self.op.supports_inplace_autograd:
                self.case(
                    "in-place backward", modes.in_place, number, sample, grad=True
                )

    def run_changed(self, change, function, number, sample):
        try:
            changed = modes.changed_sample(sample, function)
        except (RuntimeError, NotImplementedError):
            return  # the dtype has not what the change takes
        self.case(change, modes.forward, number, changed)
        if self.backward:
            self.case(f"{change} backward", modes.backward, number, changed, grad=True)

    def run_errors(self):
        seed_everything(0)
        for number, error in enumerate(self.op.error_inputs_func(self.op, "cpu")):
            self.case("errors", modes.forward, number, error.sample_input)


def check(entry, judge, limit):
    """Judges all cases of an entry."""
    info = database(entry.database)[entry.index]
    dtype = getattr(torch, entry.dtype)
    if entry.database == "module_db":
        check_module(info, dtype, judge, limit)
    elif entry.database == "optim_db":
        check_optimizer(info, dtype, judge, limit)
    else:
        filled = info.name.removeprefix("_refs.") in UNINITIALISED
        torch.use_deterministic_algorithms(filled)
        try:
            judge.asks_for_cpu = info.name in ASK_FOR_CPU
            OperatorCheck(info, dtype, judge, limit).run()
        finally:
            torch.use_deterministic_algorithms(False)
