"""Tensors of infini and of the CPU in one operator, and other wrong operands."""

import pytest
import torch

from misuse.attempts import each

MIXED = "found at least two devices, infini:0 and cpu!"

MIXED_ATTEMPTS = [
    "x + c",
    "c + x",
    "x.add_(c)",
    "c.add_(x)",
    "torch.mul(x, c)",
    "x @ c",
    "torch.mm(m, cm)",
    "torch.addmm(m, m, cm)",
    "torch.bmm(m[None], cm[None])",
    "torch.einsum('i,i->', x, c)",
    "torch.cat([x, c])",
    "torch.stack([c, x])",
    "torch.where(x > 0, x, c)",
    "torch.where(c > 0, x, x)",
    "x == c",
    "torch.equal(x, c)",
    "torch.allclose(x, c)",
    "x.masked_fill(c > 0, 1.0)",
    "torch.clamp(x, min=c)",
    "torch.lerp(x, c, 0.5)",
    "torch._foreach_add([x], [c])",
    "torch.add(x, x, out=c)",
    "torch.add(c, c, out=x)",
    "torch.mul(x, x, out=c)",
    "torch.mm(m, m, out=cm)",
    "torch.sum(x, dim=0, out=c)",
    "torch.sort(x, out=(c, ci))",
    "torch.tensor(1.0).add_(x[0])",
    "torch.mul(x[0], 2, out=torch.tensor(0.0))",
    "c + torch.tensor(1.0, device=D)",
    "c[i]",
    "x[i] = c[:2]",
    "c[ci] = x[:2]",
    "x.index_select(0, ci)",
    "x.gather(0, ci)",
    "x.scatter(0, ci, 1.0)",
    "torch.bucketize(x, c)",
    "nn.functional.embedding(ci, m)",
    "nn.functional.linear(x, cm)",
    "nn.Linear(3, 3)(x)",
    "nn.Linear(3, 3).infini()(c)",
    "nn.Conv2d(1, 1, 1).infini()(torch.ones(1, 1, 2, 2))",
    "nn.BatchNorm1d(3)(m)",
    "nn.LayerNorm(3)(m)",
    "nn.functional.cross_entropy(m, torch.tensor([0, 1, 2]))",
    "nn.functional.mse_loss(x, c)",
]

OTHER_ATTEMPTS = [
    ("nn.LSTM(3, 3)(m)", RuntimeError, "are not at the same device"),
    ("x + torch.ones(3, device='meta')", RuntimeError, "Tensor on device meta"),
    ("x.copy_(torch.ones(3, device='meta'))", NotImplementedError, "meta tensor"),
    ("torch.arange(3, out=c, device=D)", RuntimeError, "does not match"),
    ("torch.testing.assert_close(x, c)", AssertionError, "infini:0 != cpu"),
    (
        "torch.add(x, x, out=torch.empty(3, dtype=torch.int64, device=D))",
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
    ),
    ("i.add_(1.5)", RuntimeError, "can't be cast to the desired output type Long"),
    ("torch.add(i, i, alpha=1.5)", RuntimeError, "argument alpha must not be a float"),
    ("x.add_('a')", TypeError, "must be Tensor, not str"),
    ("x + None", TypeError, "unsupported operand type(s)"),
    ("torch.empty(3, device=D, dtype='float')", TypeError, "must be torch.dtype"),
    ("x + torch.ones(4, device=D)", RuntimeError, "The size of tensor a (3) must"),
    ("x.copy_(torch.ones(4))", RuntimeError, "The size of tensor a (3) must match"),
    ("m @ torch.ones(4, 4, device=D)", RuntimeError, "cannot be multiplied (3x3"),
    ("x[3]", IndexError, "index 3 is out of bounds for dimension 0 with size 3"),
    ("x[torch.tensor([5], device=D)]", IndexError, "index 5 is out of bounds"),
    ("x[i.float()]", IndexError, "must be long, int, byte or bool tensors"),
    ("x.gather(0, i + 9)", RuntimeError, "index 9 is out of bounds for dimension 0"),
    ("nn.functional.embedding(i + 9, m)", IndexError, "index out of range"),
    (
        "nn.functional.cross_entropy(m, torch.tensor([0, 1, 7], device=D))",
        IndexError,
        "Target 7 is out of bounds.",
    ),
    ("x.sum(3)", IndexError, "Dimension out of range"),
    ("i // 0", RuntimeError, "ZeroDivisionError"),
    ("i.float().bool() - i.bool()", RuntimeError, "Subtraction, the `-` operator"),
    ("torch.normal(x, -x)", RuntimeError, "expects all elements of std >= 0.0"),
    (
        "torch.linalg.inv(m * 0)",
        torch.linalg.LinAlgError,
        "the input matrix is singular",
    ),
    (
        "torch.linalg.cholesky(-m)",
        torch.linalg.LinAlgError,
        "the input is not positive-definite",
    ),
]


@pytest.mark.parametrize("code", MIXED_ATTEMPTS)
def test_mixed(refused, code):
    refused(code, RuntimeError, MIXED)


@each(OTHER_ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.parametrize(
    "code",
    [
        "assert (x + torch.tensor(1.0)).device.type == D",
        "assert (torch.tensor(1.0) + x).device.type == D",
        "assert x[ci].tolist() == [1, 1]",
        "x[ci] = x[:2].clone()",
        "assert torch.tensor(0.0).copy_(x[0]).device.type == 'cpu'",
    ],
)
def test_what_cuda_allows_is_allowed(accepted, code):
    accepted(code)
