"""NumPy, DLPack and memory that CPU tensors share."""

import pytest

from misuse.attempts import each

TO_NUMPY = "can't convert infini:0 device type tensor to numpy. Use Tensor.cpu()"
LAZY = "has not been computed yet, so its memory holds other values"

ATTEMPTS = [
    ("x.numpy()", TypeError, TO_NUMPY),
    ("np.asarray(x)", TypeError, TO_NUMPY),
    ("np.array([x, x])", TypeError, TO_NUMPY),
    ("np.from_dlpack(x)", RuntimeError, "Unsupported device in DLTensor"),
    ("memoryview(x)", TypeError, "a bytes-like object is required, not 'Tensor'"),
    ("torch.from_numpy(x)", TypeError, "expected np.ndarray (got Tensor)"),
    ("torch.from_dlpack(x)", ValueError, "Unknown device type infini for Dlpack"),
    (
        "torch.from_dlpack(torch.utils.dlpack.to_dlpack(x), device='cpu')",
        AssertionError,
        "device and copy kwargs not supported",
    ),
    (
        "x.__dlpack__(dl_device=(1, 0), copy=False)",
        ValueError,
        "cannot move (i.e. copy=False) tensor from infini:0 to cpu without copying",
    ),
    ("x.__dlpack__(dl_device=(12, 3))", RuntimeError, "index 3 is out of range"),
    ("x.__dlpack__(stream='a')", TypeError, "stream must be"),
    ("leaf.__dlpack__()", BufferError, "Can't export tensors that require gradient"),
    (
        "torch.infini.as_cpu(c)",
        RuntimeError,
        "torch.infini.as_cpu expects a tensor of device infini, but got one of cpu",
    ),
    (
        "torch.infini.from_cpu(x)",
        RuntimeError,
        "torch.infini.from_cpu expects a tensor of device cpu, but got one of infini:0",
    ),
    (
        "torch.infini.from_cpu(np.ones(3))",
        TypeError,
        "torch.infini.from_cpu expects a torch.Tensor, but got ndarray",
    ),
    (
        "torch.infini.from_cpu(c, 'cuda')",
        ValueError,
        "Expected an infini device, but got: cuda",
    ),
    ("torch.infini.from_cpu(c, 3)", RuntimeError, "index 3 is out of range"),
    (
        "torch.infini.as_cpu(x.to(torch.complex64).conj())",
        RuntimeError,
        f"the conjugation of the tensor {LAZY}; use tensor.resolve_conj() first",
    ),
    (
        "torch.infini.as_cpu(x).resize_(9)",
        RuntimeError,
        "Trying to resize storage that is not resizable",
    ),
    (
        "h = torch.infini.as_cpu(x); x.resize_(9)",
        RuntimeError,
        "Trying to resize storage that is not resizable",
    ),
    (
        "y = (leaf * leaf).sum(); torch.infini.as_cpu(leaf).zero_(); y.backward()",
        RuntimeError,
        "modified by an inplace operation",
    ),
    (
        "torch.infini.as_cpu(x) + x",
        RuntimeError,
        "Expected all tensors to be on the same device",
    ),
]


@pytest.mark.needs("host-access")
@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.needs("host-access")
@pytest.mark.parametrize(
    "code",
    [
        "assert np.from_dlpack(x, device='cpu').tolist() == [1, 1, 1]",
        "torch.infini.as_cpu(x).numpy()[:] = 2; assert x.tolist() == [2, 2, 2]",
        "torch.infini.from_cpu(c).add_(1); assert c.tolist() == [2, 2, 2]",
        "torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x)).zero_()",
    ],
)
def test_accepted(accepted, code):
    accepted(code)
