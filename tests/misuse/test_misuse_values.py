"""Reading values the wrong way, and autograd used wrongly."""

import pytest
import torch

from misuse.attempts import each

TO_NUMPY = "can't convert infini:0 device type tensor to numpy. Use Tensor.cpu()"
ONE_ELEMENT = "only one element tensors can be converted to Python scalars"
LEGACY = "legacy constructor expects device type: cpu but device type: infini"

ATTEMPTS = [
    ("x.numpy()", TypeError, TO_NUMPY),
    ("np.asarray(x)", TypeError, TO_NUMPY),
    ("np.ones(3) + x.cpu().numpy() + np.asarray(x)", TypeError, TO_NUMPY),
    ("leaf.numpy()", TypeError, TO_NUMPY),
    ("x.__cuda_array_interface__", AttributeError, "on non-CUDA tensor type"),
    ("memoryview(x)", TypeError, "a bytes-like object is required"),
    ("int(x)", ValueError, ONE_ELEMENT),
    ("float(x)", ValueError, ONE_ELEMENT),
    ("x.item()", RuntimeError, "Tensor with 3 elements cannot be converted to Scalar"),
    ("bool(x)", RuntimeError, "Tensor with more than one value is ambiguous"),
    ("bool(x[:0])", RuntimeError, "Boolean value of Tensor with no values"),
    ("torch.tensor([x, x])", ValueError, ONE_ELEMENT),
    ("torch.from_numpy(x)", TypeError, "expected np.ndarray (got Tensor)"),
    ("torch.frombuffer(x, dtype=torch.int8)", ValueError, "Python buffer protocol"),
    ("torch.Tensor(3, device=D)", RuntimeError, LEGACY),
    ("torch.FloatTensor(x)", TypeError, "device=infini:0"),
    ("leaf.add_(1)", RuntimeError, "a leaf Variable that requires grad is being used"),
    ("leaf.resize_(100)", RuntimeError, "cannot resize variables that require grad"),
    ("leaf.backward()", RuntimeError, "only for scalar outputs"),
    ("leaf.sum().backward(c)", RuntimeError, "Mismatch in shape: grad_output[0]"),
    ("y = leaf.exp(); y.add_(1); y.sum().backward()", RuntimeError, "is at version 1"),
    (
        "y = leaf.exp().sum(); y.backward(); y.backward()",
        RuntimeError,
        "Trying to backward through the graph a second time",
    ),
    (
        "leaf.grad = c",
        RuntimeError,
        "device type 'cpu' to a tensor with device type",
    ),
    ("leaf.grad = m", RuntimeError, "a gradient of size '[3, 3]' to a tensor of size"),
    ("i.requires_grad_()", RuntimeError, "floating point dtype can require gradients"),
    ("copy.deepcopy(leaf * 2)", RuntimeError, "support the deepcopy protocol"),
    ("x.untyped_storage()._share_fd_cpu_()", RuntimeError, "only available on CPU"),
]


@pytest.mark.filterwarnings("ignore")
@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


def test_an_exception_in_a_hook_reaches_the_caller():
    x = torch.ones(3, device="infini", requires_grad=True)

    def fail(gradient):
        raise KeyError("mine")

    handle = x.register_hook(fail)
    with pytest.raises(KeyError, match="mine"):
        (x * 2).sum().backward()
    handle.remove()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("gradient", "text"),
    [
        (lambda g: torch.ones(3), "expected device infini:0 but got cpu"),
        (lambda g: g[:2], r"got \[2\] but expected shape compatible with \[3\]"),
    ],
    ids=["device", "shape"],
)
def test_a_wrong_gradient_of_a_function(gradient, text):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * 2

        @staticmethod
        def backward(context, g):
            return gradient(g)

    x = torch.ones(3, device="infini", requires_grad=True)
    with pytest.raises(RuntimeError, match=text):
        Double.apply(x).sum().backward()
