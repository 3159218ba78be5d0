"""Runs entries of PyTorch's op_db on infini and on the CPU and compares bit for bit.

A process of its own: a crash costs one entry. Reads nothing but its arguments and
writes one JSON object a line: {"start": entry} before an entry and
{"entry": ..., "status": ...} after it. Two runs on the CPU come first: where they
differ nothing can be judged.
"""

import argparse
import json
import sys
import traceback
import warnings

import torch
import torch_infini  # noqa: F401
from torch.utils._pytree import tree_flatten, tree_map

PASSED = "passed"
FAILED = "failed"
# The CPU differs from itself, or raises for every sample.
UNJUDGED = "unjudged"
# Asks for sparse or quantized tensors, which infini refuses by name.
REFUSED = "refused"
REFUSALS = ("infini has strided tensors only", "infini has no tensors of layout")


class Twins:
    """Copies of a sample's tensors on one device; one copy per tensor and storage."""

    def __init__(self, device):
        self.device = device
        self.tensors = {}
        self.storages = {}
        self.kept = []
        self.used = False

    def storage(self, tensor):
        source = tensor.untyped_storage()
        if source._cdata not in self.storages:
            self.kept.append(source)
            flat = torch.empty(0, dtype=torch.uint8).set_(source)
            copy = torch.empty(flat.numel(), dtype=torch.uint8, device=self.device)
            copy.copy_(flat)
            self.storages[source._cdata] = copy.untyped_storage()
        return self.storages[source._cdata]

    def tensor(self, tensor):
        if tensor.layout != torch.strided or tensor.is_quantized:
            return tensor.detach().clone().to(self.device)
        plain = tensor.detach()
        twin = torch.empty(0, dtype=tensor.dtype, device=self.device)
        twin.set_(
            self.storage(plain), plain.storage_offset(), plain.size(), plain.stride()
        )
        if plain.is_conj():
            twin = twin.conj()
        if plain.is_neg():
            twin = torch._neg_view(twin)
        return twin.requires_grad_(tensor.requires_grad)

    def __call__(self, value):
        if isinstance(value, torch.Tensor):
            self.used = True
            if id(value) not in self.tensors:
                self.kept.append(value)
                self.tensors[id(value)] = self.tensor(value)
            return self.tensors[id(value)]
        if isinstance(value, torch.device) or (
            isinstance(value, str) and value == "cpu"
        ):
            self.used = True
            return torch.device(self.device)
        return value


def tensors_in(tree):
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def bits(tensor):
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
    if tensor.dtype.is_complex:
        tensor = torch.view_as_real(tensor)
    return tensor


def difference(got, expected, what):
    """Why two tensors differ, or an empty string."""
    for name in ("dtype", "shape", "layout", "requires_grad"):
        if getattr(got, name) != getattr(expected, name):
            return f"{what}: {name} {getattr(got, name)} != {getattr(expected, name)}"
    if got.layout != torch.strided:
        return difference(got.to_dense(), expected.to_dense(), what)
    if got.stride() != expected.stride():
        return f"{what}: strides {got.stride()} != {expected.stride()}"
    if (got.is_conj(), got.is_neg()) != (expected.is_conj(), expected.is_neg()):
        return f"{what}: conjugate or negative bit differs"
    a, b = bits(got), bits(expected)
    same = a == b
    if a.dtype.is_floating_point:
        same = (same & (a.signbit() == b.signbit())) | (a.isnan() & b.isnan())
    wrong = int((~same).sum())
    return f"{what}: {wrong} of {a.numel()} values differ" if wrong else ""


class Run:
    """One call on one device: results, arguments afterwards, gradients, aliasing."""

    def __init__(self, function, sample, device, seed, backward):
        twins = Twins(device)
        arguments = tree_map(twins, (sample.input, list(sample.args), sample.kwargs))
        # A factory that is told no device makes a CPU tensor.
        self.device = torch.device(device).type if twins.used else "cpu"
        self.arguments = tensors_in(arguments)
        self.error = None
        torch.manual_seed(seed)
        try:
            first, rest, keywords = arguments
            self.results = tensors_in(function(first, *rest, **keywords))
            self.gradients = self.backward(seed) if backward else []
        except Exception as error:
            self.error = error
            self.trace = traceback.format_exc()

    def backward(self, seed):
        outputs = [r for r in self.results if r.requires_grad]
        inputs = [a for a in self.arguments if a.is_leaf and a.requires_grad]
        if not outputs or not inputs:
            return []
        generator = torch.Generator().manual_seed(seed)
        weights = [
            torch.randn(o.shape, generator=generator, dtype=torch.float64).to(o)
            for o in outputs
        ]
        return torch.autograd.grad(outputs, inputs, weights, allow_unused=True)

    def aliases(self):
        """Which result shares memory with which argument."""
        pointers = [
            a.untyped_storage()._cdata if a.layout == torch.strided else None
            for a in self.arguments
        ]
        return [
            [p == r.untyped_storage()._cdata for p in pointers]
            for r in self.results
            if r.layout == torch.strided
        ]

    def compare(self, other):
        if (self.error is None) != (other.error is None):
            return (
                self.trace
                if self.error is not None
                else f"raised nothing, {other.error!r} expected"
            )
        if self.error is not None:
            return ""
        if len(self.results) != len(other.results):
            return "number of results differs"
        for result in self.results:
            if result.device.type != self.device:
                return f"a result is on {result.device}"
        pairs = [("result", p) for p in zip(self.results, other.results, strict=True)]
        pairs += [
            ("argument", p) for p in zip(self.arguments, other.arguments, strict=True)
        ]
        pairs += [
            ("gradient", p) for p in zip(self.gradients, other.gradients, strict=True)
        ]
        for what, (got, expected) in pairs:
            if (got is None) != (expected is None):
                return f"{what}: one of them is None"
            if got is not None and (found := difference(got, expected, what)):
                return found
        return "" if self.aliases() == other.aliases() else "aliasing differs"


def judge(function, sample, seed, backward):
    """(status, detail) of one sample."""
    cpu = Run(function, sample, "cpu", seed, backward)
    if cpu.error is not None or Run(function, sample, "cpu", seed, backward).compare(
        cpu
    ):
        return UNJUDGED, ""
    infini = Run(function, sample, "infini", seed, backward)
    if isinstance(infini.error, NotImplementedError) and any(
        text in str(infini.error) for text in REFUSALS
    ):
        return REFUSED, str(infini.error)
    found = infini.compare(cpu)
    return (FAILED, found) if found else (PASSED, "")


def check(op, dtype, limit):
    """Status, detail and number of samples of one entry; the worst sample decides."""
    backward = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    torch.manual_seed(0)
    samples = list(op.sample_inputs("cpu", dtype, requires_grad=backward))
    if limit and len(samples) > limit:
        samples = samples[:: -(-len(samples) // limit)]
    worst, detail = UNJUDGED, ""
    for seed, sample in enumerate(samples):
        status, found = judge(op, sample, seed, backward)
        if status == FAILED:
            return FAILED, f"sample {seed}: {found}", len(samples)
        if status == REFUSED or worst == UNJUDGED:
            worst, detail = status, found
    return worst, detail, len(samples)


def main():
    from torch.testing._internal.common_methods_invocations import op_db

    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", required=True, help="indices into op_db, 1,2,3")
    parser.add_argument("--dtype", required=True)
    parser.add_argument(
        "--limit", type=int, default=0, help="samples per entry; 0: all"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    dtype = getattr(torch, options.dtype)
    for index in map(int, options.entries.split(",")):
        op = op_db[index]
        print(json.dumps({"start": index}), flush=True)
        try:
            status, detail, samples = check(op, dtype, options.limit)
        except Exception:
            status, detail, samples = FAILED, traceback.format_exc(), 0
        line = {"entry": index, "name": op.formatted_name, "status": status}
        print(json.dumps(line | {"detail": detail, "samples": samples}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
