"""What the device cannot do raises at once, says why, and leaves the process usable."""

import pytest
import torch
import torch_infini  # noqa: F401

SPARSE = torch.eye(2).to_sparse()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.to_sparse(),
        lambda x: x.to_sparse_csr(),
        lambda x: SPARSE.to("infini"),
        lambda x: torch.sparse_coo_tensor([[0], [0]], [1.0], (2, 2), device="infini"),
        lambda x: (
            torch.sparse_csr_tensor([0, 1], [0], [1.0], (1, 1), device="infini") * 2
        ),
        lambda x: torch.sparse_csr_tensor(
            [0, 1], [0], [1.0], (1, 1), device="infini"
        ).to_dense(),
        lambda x: torch.empty(2, layout=torch.sparse_coo, device="infini"),
        lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),
        lambda x: torch.quantize_per_tensor(x.cpu(), 0.1, 0, torch.quint8).to("infini"),
        lambda x: torch.nested.nested_tensor([x[0], x[1]], device="infini") * 2,
        lambda x: torch.nested.nested_tensor([torch.ones(2), torch.ones(1)]).to(
            "infini"
        ),
        lambda x: x.to_mkldnn(),
        lambda x: torch._mkldnn_reshape(x, (4,)),
    ],
)
def test_layouts(call):
    x = torch.ones(2, 2, device="infini")
    with pytest.raises((NotImplementedError, RuntimeError)) as caught:
        call(x)
    text = str(caught.value)
    assert any(word in text for word in ("infini", "mkldnn", "layout")), text
    assert "report a bug" not in text
    assert "INTERNAL ASSERT" not in text
    assert (x + 1).sum().item() == 8


MIXED = {
    "add": lambda a, b: a + b,
    "radd": lambda a, b: b + a,
    "mul": torch.mul,
    "mm": torch.mm,
    "cat": lambda a, b: torch.cat([a, b]),
    "stack": lambda a, b: torch.stack([b, a]),
    "where": lambda a, b: torch.where(a > 0, a, b),
    "addmm": lambda a, b: torch.addmm(a, a, b),
    "linear": torch.nn.functional.linear,
    "embedding": lambda a, b: torch.nn.functional.embedding(b.long(), a),
    "mse": torch.nn.functional.mse_loss,
    "in_place": lambda a, b: a.add_(b),
    "cpu_in_place": lambda a, b: b.add_(a),
    "gather": lambda a, b: a.gather(0, b.long()),
    "conv": lambda a, b: torch.nn.functional.conv1d(a[None], b[None]),
    "layer_norm": lambda a, b: torch.nn.functional.layer_norm(a, (2,), b[0]),
    "lerp": lambda a, b: torch.lerp(a, a, b),
    "addcmul": lambda a, b: torch.addcmul(a, a, b),
    "dot": lambda a, b: torch.dot(a[0], b[0]),
    "bmm": lambda a, b: torch.bmm(a[None], b[None]),
    "masked_fill": lambda a, b: a.masked_fill(b > 0, 1),
    "equal": torch.equal,
    "maximum": torch.maximum,
    "foreach": lambda a, b: torch._foreach_add([a], [b]),
    "index_select": lambda a, b: a.index_select(0, b[0].long()),
    "scatter": lambda a, b: a.scatter(0, b.long(), 1.0),
    "solve": torch.linalg.solve,
    "einsum": lambda a, b: torch.einsum("ij,jk->ik", a, b),
    "cosine": torch.cosine_similarity,
    "batch_norm": lambda a, b: torch.nn.functional.batch_norm(
        a, b[0], b[1], training=True
    ),
}


@pytest.mark.parametrize("name", MIXED)
def test_mixed_devices(name):
    a, b = torch.ones(2, 2, device="infini"), torch.ones(2, 2)
    with pytest.raises(
        RuntimeError,
        match=r"on the same device|same device|expected device",
    ):
        MIXED[name](a, b)
    assert a.tolist() == [[1, 1], [1, 1]]
    assert b.tolist() == [[1, 1], [1, 1]]


def test_pytorchs_text():
    with pytest.raises(
        RuntimeError,
        match="Expected all tensors to be on the same device, but found at least two "
        "devices, infini:0 and cpu!",
    ):
        torch.ones(2, device="infini") + torch.ones(2)


def test_cpu_scalars_may_be_mixed():
    x = torch.ones(2, device="infini")
    for result in (
        x + 1,
        1.5 * x,
        x + torch.tensor(2.0),
        torch.tensor(2.0) - x,
        x.clamp(torch.tensor(0.0)),
    ):
        assert result.device.type == "infini"
    assert (torch.tensor(2.0) + x).tolist() == [3, 3]
    assert (x + torch.tensor(2.0, dtype=torch.double)).dtype == torch.float32
    x.fill_(torch.tensor(4.0))
    x[0] = torch.tensor(7.0)
    assert x.tolist() == [7, 4]


def test_device_scalars_do_not_move_to_the_cpu():
    with pytest.raises(RuntimeError, match="device"):
        torch.ones(2).add_(torch.ones(2, device="infini"))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: x @ x[0, :1], RuntimeError, "size|shape"),
        (lambda x: x.view(3), RuntimeError, "is invalid for input of size"),
        (lambda x: x + torch.ones(3, device="infini"), RuntimeError, "must match"),
        (lambda x: x.sum(5), IndexError, "Dimension out of range"),
        (lambda x: torch.linalg.inv(x * 0), RuntimeError, "singular"),
        (lambda x: torch.linalg.cholesky(-x), RuntimeError, "positive-definite"),
        (lambda x: x.long().bitwise_and(x), RuntimeError, "not implemented"),
        (lambda x: x.item(), RuntimeError, "cannot be converted to Scalar"),
        (
            lambda x: x.int() // torch.zeros_like(x).int(),
            RuntimeError,
            "ZeroDivisionError",
        ),
        (
            lambda x: torch.nn.functional.cross_entropy(
                x, torch.tensor([0, 5], device="infini")
            ),
            IndexError,
            "out of bounds",
        ),
    ],
)
def test_errors_of_kernels_are_pytorchs(call, error, text):
    x = torch.ones(2, 2, device="infini")
    with pytest.raises(error, match=text):
        call(x)
    assert (x + x).tolist() == [[2, 2], [2, 2]]


def test_device_scalar_does_not_go_into_a_cpu_scalar():
    x = torch.tensor(1.0)
    with pytest.raises(RuntimeError, match="device"):
        x.add_(torch.tensor(2.0, device="infini"))
    with pytest.raises(RuntimeError, match="device"):
        torch.mul(torch.ones((), device="infini"), 2, out=x)
    assert x.item() == 1


def test_only_indices_may_lie_on_the_cpu():
    x = torch.zeros(4, device="infini")
    with pytest.raises(RuntimeError, match="on the same device"):
        x.index_put_((torch.tensor([0, 1]),), torch.ones(2))
    x.index_put_((torch.tensor([0, 1]),), torch.ones(2, device="infini"))
    assert x.tolist() == [1, 1, 0, 0]
