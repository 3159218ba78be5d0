"""Views out of bounds, overlapping writes, storages of another device."""

import pytest

from misuse.attempts import each

OUT_OF_BOUNDS = "are out of bounds for storage of size 12"
OVERLAP = "more than one element of the written-to tensor refers to a single memory"
PARTIAL = (
    "some elements of the input tensor and the written-to tensor refer to a single"
)

ATTEMPTS = [
    ("x.as_strided((9,), (1,))", RuntimeError, OUT_OF_BOUNDS),
    ("x.as_strided((2,), (1,), 5)", RuntimeError, OUT_OF_BOUNDS),
    ("x.as_strided((2,), (-1,))", RuntimeError, "Negative strides are not supported"),
    ("x.as_strided((2,), (1,), -1)", RuntimeError, "invalid storage offset -1"),
    ("x.as_strided((2,), (2**62,))", RuntimeError, "size calculation overflowed"),
    ("x.as_strided((2, 2), (1,))", RuntimeError, "mismatch in length of strides"),
    ("x.expand(2)", RuntimeError, "must match the existing size (3)"),
    ("x.view(2, 2)", RuntimeError, "shape '[2, 2]' is invalid for input of size 3"),
    ("m.t().view(9)", RuntimeError, "view size is not compatible"),
    ("x.narrow(0, 2, 5)", RuntimeError, "start (2) + length (5) exceeds dimension"),
    ("x.unfold(0, 5, 1)", RuntimeError, "maximum size for tensor at dimension 0 is 3"),
    ("x.view(torch.float64)", RuntimeError, "to view Float as Double"),
    ("x.expand(3, 3).add_(x)", RuntimeError, OVERLAP),
    ("x[:1].expand(3).mul_(2)", RuntimeError, OVERLAP),
    ("x[:1].expand(3).copy_(x)", RuntimeError, OVERLAP),
    ("x[1:].add_(x[:-1])", RuntimeError, PARTIAL),
    ("x[1:].mul_(x[:-1])", RuntimeError, PARTIAL),
    ("x[1:].copy_(x[:-1])", RuntimeError, PARTIAL),
    ("torch.add(x, x, out=x[:1].expand(3))", RuntimeError, OVERLAP),
    ("x.set_(c)", RuntimeError, "cannot give an infini tensor a storage of device cpu"),
    ("x.set_(c.untyped_storage())", RuntimeError, "a storage of device cpu"),
    (
        "c.set_(x)",
        RuntimeError,
        'on device "cpu" to a storage on different device',
    ),
    (
        "x.set_(x.untyped_storage(), -1, (2,), (1,))",
        RuntimeError,
        "invalid storage offset -1",
    ),
    (
        "x.set_(x.untyped_storage(), 2**62, (2,), (1,))",
        RuntimeError,
        "Storage size calculation overflowed",
    ),
    ("x.untyped_storage()[100]", IndexError, "out of range for storage of size 12"),
    ("x.untyped_storage().resize_('a')", RuntimeError, "expects an int, but got str"),
    (
        "x.untyped_storage().copy_(torch.ones(9).untyped_storage())",
        RuntimeError,
        "size does not match, self was 12 bytes but src was 36 bytes",
    ),
    ("torch.UntypedStorage(4, device='infini:3')", RuntimeError, "index 3 is out of"),
    (
        "torch.FloatStorage(3, device=D)",
        RuntimeError,
        "Keyword argument 'device' cannot be specified",
    ),
]


@pytest.mark.filterwarnings("ignore")
@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.parametrize(
    "code",
    [
        # A view outlives the resize of its base, as on the CPU.
        "v = x[1:]; x.resize_(1000); assert v.tolist() == [1, 1]",
        "x.set_(x.untyped_storage(), 0, (9,), (1,)); assert x.shape == (9,)",
        "x.untyped_storage().resize_(0); assert x.shape == (3,)",
    ],
)
def test_what_torch_allows_is_allowed(accepted, code):
    accepted(code)


@pytest.mark.parametrize(
    "use",
    ["x.add_(1)", "x.cpu()", "x + x", "x * 2", "print(x)", "x.copy_(torch.ones(4))"],
)
def test_memory_that_was_given_up_is_an_error_and_no_crash(run_python, use):
    result = run_python(f"""
import torch, torch_infini
x = torch.ones(4, device="infini")
x.untyped_storage().resize_(0)
try:
    {use}
except RuntimeError as error:
    print("raised", error)
print((torch.ones(2, device="infini") + 1).tolist())
""")
    assert "raised" in result.stdout
    assert "[2.0, 2.0]" in result.stdout
