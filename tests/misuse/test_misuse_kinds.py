"""Layouts, dtypes and features that the device does not have."""

import pytest
import torch

from misuse.attempts import each

STRIDED_ONLY = "infini has strided tensors only, no sparse, quantized or nested ones"
NONE_OF = "infini has no tensors of layout"
UNPINNABLE = "only dense CPU tensors can be pinned"

ATTEMPTS = [
    ("m.to_sparse()", NotImplementedError, f"{NONE_OF} Sparse and dtype Float"),
    ("m.to_sparse_csr()", NotImplementedError, f"{NONE_OF} SparseCsr"),
    ("m.to_mkldnn()", NotImplementedError, f"{NONE_OF} Mkldnn and dtype Float"),
    ("cm.to_sparse().to(D)", NotImplementedError, STRIDED_ONLY),
    ("cm.to_sparse() @ m", NotImplementedError, STRIDED_ONLY),
    ("torch.sparse_coo_tensor([[0]], x[:1], (2,))", NotImplementedError, STRIDED_ONLY),
    (
        "torch.sparse_coo_tensor([[0]], [1.0], (2,), device=D)",
        NotImplementedError,
        STRIDED_ONLY,
    ),
    (
        "torch.sparse_csr_tensor([0, 1], [0], [1.0], device=D) * 2",
        RuntimeError,
        "unsupported tensor layout: SparseCsr",
    ),
    (
        "torch.empty(2, 2, layout=torch.sparse_coo, device=D)",
        NotImplementedError,
        STRIDED_ONLY,
    ),
    (
        "torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)",
        NotImplementedError,
        f"{NONE_OF} Strided and dtype QInt8",
    ),
    (
        "torch.quantize_per_tensor(c, 0.1, 0, torch.qint8).to(D)",
        NotImplementedError,
        STRIDED_ONLY,
    ),
    ("torch.empty(2, dtype=torch.qint8, device=D)", NotImplementedError, STRIDED_ONLY),
    (
        "torch.nested.nested_tensor([x, x[:2]]) * 2",
        NotImplementedError,
        STRIDED_ONLY,
    ),
    (
        "torch.nested.nested_tensor([c, c[:2]]).to(D)",
        NotImplementedError,
        STRIDED_ONLY,
    ),
    (
        "torch.ones(2, dtype=torch.float8_e5m2, device=D) + 1",
        NotImplementedError,
        "not implemented for 'Float8_e5m2'",
    ),
    ("x.bool() & x", NotImplementedError, "not implemented for 'Float'"),
    (
        "torch.empty(3, device=D, memory_format=torch.channels_last)",
        RuntimeError,
        "required rank 4 tensor to use channels_last format",
    ),
    (
        "torch.empty(3, device=D, memory_format=torch.preserve_format)",
        RuntimeError,
        "unsupported memory format Preserve",
    ),
    ("torch.empty(2, device=D, pin_memory=True)", RuntimeError, "Only dense CPU"),
    ("x.pin_memory()", RuntimeError, UNPINNABLE),
    ("x.untyped_storage().pin_memory()", TypeError, "only CPU memory can be pinned"),
    ("torch.ones(3, device='meta').pin_memory()", RuntimeError, UNPINNABLE),
    ("c[:1].expand(9).pin_memory()", RuntimeError, "single memory location"),
    ("torch.Generator(D)", NotImplementedError, "infini"),
    (
        "torch.randn(3, device=D, generator=torch.Generator())",
        RuntimeError,
        "Expected a 'infini' device type for generator but found 'cpu'",
    ),
    (
        "torch.infini.set_rng_state(c)",
        TypeError,
        "RNG state must be a torch.ByteTensor",
    ),
    ("torch.infini.set_rng_state('x')", TypeError, "RNG state must be a"),
    (
        "torch.infini.set_rng_state(torch.zeros(3, dtype=torch.uint8))",
        RuntimeError,
        "the input RNG state size to be 3",
    ),
    ("torch.infini.manual_seed('a')", ValueError, "invalid literal for int()"),
    ("torch.infini.manual_seed(2**64)", RuntimeError, "is outside [-0x8000_0000"),
    ("torch.from_dlpack(x)", ValueError, "Unknown device type infini for Dlpack"),
    ("np.from_dlpack(x)", RuntimeError, "Unsupported device in DLTensor."),
    (
        "torch.compile(lambda a: a + 1, backend=D)(x)",
        torch._dynamo.exc.InvalidBackend,
        "Invalid backend: 'infini'",
    ),
]


@pytest.mark.filterwarnings("ignore")
@each(ATTEMPTS)
def test_refused(refused, code, error, text):
    refused(code, error, text)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "code",
    ["torch.sparse_csr_tensor([0, 1], [0], [1.0], device=D)", "torch.Generator(D)"],
)
def test_messages_name_the_device_and_no_internals(names, code):
    try:
        exec(f"made = {code}; repr(made)", names)
    except NotImplementedError as error:
        message = str(error)
    else:
        pytest.fail("nothing was raised")
    assert "infini" in message
    for internal in ("RegisterPrivateUse1HooksInterface", "report a bug", "INTERNAL"):
        assert internal not in message


def test_autocast_casts(names):
    """An operator in an autocast region runs, and after it as before."""
    with torch.autocast("infini", dtype=torch.bfloat16):
        exec("product = m @ m", names)
    expected = names["cm"].bfloat16() @ names["cm"].bfloat16()
    assert torch.equal(names["product"].cpu(), expected)
    assert torch.equal((names["m"] @ names["m"]).cpu(), names["cm"] @ names["cm"])


def test_pinning_for_another_accelerator_is_not_pinning():
    pinned = torch.ones(3).pin_memory()
    assert pinned.is_pinned()
    assert not pinned.is_pinned("cuda")
    assert not torch.ones(3).is_pinned()
    assert not torch.ones(3, device="infini").is_pinned()
