"""torch._foreach_*: PyTorch's own samples give what they give on the CPU."""

import copy

import pytest
import torch
from torch.testing._internal import common_methods_invocations as invocations
from torch.utils._pytree import tree_flatten, tree_map

DATABASES = (
    invocations.foreach_unary_op_db,
    invocations.foreach_binary_op_db,
    invocations.foreach_pointwise_op_db,
    invocations.foreach_reduce_op_db,
    invocations.foreach_other_op_db,
)
OPERATORS = {info.name: info for database in DATABASES for info in database}
DTYPES = [torch.float32, torch.bfloat16, torch.complex64, torch.int64]


def samples(info, dtype):
    torch.manual_seed(1)
    yield from info.sample_inputs(
        "cpu", dtype, num_input_tensors=[1, 5], allow_higher_dtype_scalars=True
    )


def call(function, sample, device):
    """The results and the inputs afterwards, or the type of the error."""

    def move(x):
        return x.detach().clone().to(device) if isinstance(x, torch.Tensor) else x

    inputs = tree_map(move, [sample.input, list(sample.args), dict(sample.kwargs)])
    keywords = {k: v for k, v in inputs[2].items() if k not in HARNESS}
    torch.manual_seed(2)
    try:
        result = function(inputs[0], *inputs[1], **keywords)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        return type(error), str(error).replace("infini:0", "cpu")
    return tree_flatten([result, inputs])[0]


# Arguments for PyTorch's own tests.
HARNESS = {"disable_fastpath", "zero_size", "ref_args", "on_the_fly"}


def assert_equal(got, expected, device):
    if expected and isinstance(expected[0], type):
        assert got == expected
        return
    assert len(got) == len(expected), got
    for a, b in zip(got, expected, strict=True):
        if not isinstance(b, torch.Tensor):
            assert a == b or (a != a and b != b)
            continue
        assert a.device.type == device
        assert (a.dtype, a.shape, a.stride()) == (b.dtype, b.shape, b.stride())
        torch.testing.assert_close(a.cpu(), b, rtol=0, atol=0, equal_nan=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", OPERATORS)
def test_as_on_the_cpu(device, name, dtype):
    info = OPERATORS[name]
    tried = 0
    for sample in samples(info, dtype):
        for function in (info.method_variant, info.inplace_variant):
            if function is not None:
                expected = call(function, copy.copy(sample), "cpu")
                assert_equal(call(function, sample, device), expected, device)
                tried += 1
    assert tried


def test_all_operators_are_tried():
    tried = {info.method_variant or info.inplace_variant for info in OPERATORS.values()}
    tried |= {info.inplace_variant for info in OPERATORS.values()}
    names = {function.__name__ for function in tried if function is not None}
    exist = {name for name in dir(torch) if name.startswith("_foreach_")}
    assert exist - names <= NO_SAMPLES


NO_SAMPLES = {"_foreach_powsum"}


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_sums_of_powers(agree, order):
    agree(
        lambda *x: torch._foreach_powsum(list(x), order),
        torch.randn(3, 4),
        torch.randn(5).bfloat16(),
        torch.zeros(0),
    )


def test_tensors_of_two_devices_are_refused():
    ours, theirs = [torch.ones(2, device="infini")], [torch.ones(2)]
    with pytest.raises(RuntimeError, match="same device"):
        torch._foreach_add(ours, theirs)
    with pytest.raises(RuntimeError, match="same device"):
        torch._foreach_add_(theirs, ours)
