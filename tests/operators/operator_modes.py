"""The ways in which an entry of op_db or python_ref_db is called.

Each mode is a function of the entry, a CPU sample and the twins of one device; it
returns what is to be compared, by name.
"""

import torch
from torch.autograd import forward_ad
from torch.testing._internal.common_utils import noncontiguous_like
from torch.testing._internal.opinfo.core import SampleInput
from torch.utils._pytree import tree_flatten, tree_map


def tensors_in(tree):
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def weights_like(tensors, seed=1):
    """Seeded random tensors of the same shape, dtype and device."""
    generator = torch.Generator().manual_seed(seed)
    made = []
    for tensor in tensors:
        dtype = torch.complex128 if tensor.is_complex() else torch.float64
        weights = torch.randn(tensor.shape, generator=generator, dtype=dtype)
        made.append(weights.to(tensor.dtype).to(tensor.device))
    return made


def gradients(results, leaves):
    outputs = [r for r in tensors_in(results) if r.requires_grad]
    if not outputs or not leaves:
        return []
    weights = weights_like(outputs)
    return torch.autograd.grad(outputs, leaves, weights, allow_unused=True)


def forward(op, sample, twins):
    first, rest, keywords = twins.sample(sample)
    with torch.set_grad_enabled(twins.grad):
        return {"result": op(first, *rest, **keywords)}


def backward(op, sample, twins):
    first, rest, keywords = twins.sample(sample)
    results = op(first, *rest, **keywords)
    processed = sample.output_process_fn_grad(results)
    return {"result": results, "gradient": gradients(processed, twins.leaves())}


def forward_mode(op, sample, twins):
    first, rest, keywords = twins.sample(sample)
    leaves = twins.leaves()
    with forward_ad.dual_level():
        tangents = weights_like(leaves)
        duals = {
            id(leaf): forward_ad.make_dual(leaf.detach(), tangent)
            for leaf, tangent in zip(leaves, tangents, strict=True)
        }

        def dual(value):
            return duals.get(id(value), value)

        first, rest, keywords = tree_map(dual, (first, rest, keywords))
        results = tensors_in(op(first, *rest, **keywords))
        unpacked = [forward_ad.unpack_dual(result) for result in results]
        return {
            "primal": [pair.primal for pair in unpacked],
            "tangent": [pair.tangent for pair in unpacked],
        }


def in_place(op, sample, twins):
    first, rest, keywords = twins.sample(sample)
    changed = first.clone()
    result = op.get_inplace()(changed, *rest, **keywords)
    found = gradients(result, twins.leaves()) if twins.grad else []
    return {"result": result, "self": changed, "gradient": found}


def filled(shape, stride, dtype, device):
    made = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    return made.fill_(1)


def with_gaps(tensor):
    made = torch.ones((*tensor.shape, 2), dtype=tensor.dtype, device=tensor.device)
    return made[..., 1]


def of_other_dtype(tensor):
    dtype = torch.int64 if tensor.dtype == torch.float64 else torch.float64
    return filled(tensor.shape, tensor.stride(), dtype, tensor.device)


# The out= arguments that are tried, made of the expected result.
OUTS = {
    "right": lambda t: filled(t.shape, t.stride(), t.dtype, t.device),
    "empty": lambda t: torch.empty(0, dtype=t.dtype, device=t.device),
    "gaps": with_gaps,
    "larger": lambda t: torch.ones((*t.shape, 2), dtype=t.dtype, device=t.device),
    "other dtype": of_other_dtype,
}


def out(kind):
    """The mode out= with one kind of argument."""

    def call(op, sample, twins):
        first, rest, keywords = twins.sample(sample)
        with torch.no_grad():
            expected = op(first, *rest, **keywords)
            given = tree_map(OUTS[kind], expected)
            twins.made += tensors_in(given)
            result = op(first, *rest, **keywords, out=given)
        return {"result": result, "out": given}

    return call


def changed_sample(sample, change):
    """The sample with every strided tensor changed."""

    def leaf(value):
        if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
            return value
        made = change(value.detach())
        return made.requires_grad_(value.requires_grad)

    parts = (sample.input, tuple(sample.args), dict(sample.kwargs))
    first, rest, keywords = tree_map(leaf, parts)
    made = SampleInput(first, args=rest, kwargs=keywords)
    made.output_process_fn_grad = sample.output_process_fn_grad
    return made


def without_dimensions(tensor):
    if tensor.numel() == 0:
        return tensor.new_zeros(())
    return tensor.reshape(-1)[0].clone()


def without_elements(tensor):
    return tensor.new_empty((0, *tensor.shape[1:]))


CHANGES = {
    "noncontiguous": noncontiguous_like,
    "zero-dim": without_dimensions,
    "empty": without_elements,
}
